#!/usr/bin/env node
// Plain JavaScript in the repository, because npm links a command at install time and only if its file exists by then.
import { existsSync } from "node:fs";

const OLDEST_NODE = [22, 12];
const MAIN = new URL("../dist/main.js", import.meta.url);

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
  fail(`whytrace needs Node.js ${OLDEST_NODE.join(".")} or newer; this is ${process.versions.node}.`);
if (!existsSync(MAIN)) fail("whytrace is not built yet. Run `npm run build` in the checkout.");
// Imported only now: an older Node.js may fail to load the modules behind it.
await import(MAIN.href);

function fail(message) {
  console.error(message);
  process.exit(1);
}
