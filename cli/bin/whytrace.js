#!/usr/bin/env node
// Plain JavaScript, because npm links a command at install time only if its file exists, before anything is built.
import { existsSync } from "node:fs";

const MIN_NODE = [22, 12];
const MAIN = new URL("../dist/main.js", import.meta.url);

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1]))
  fail(`whytrace needs Node.js ${MIN_NODE.join(".")} or newer; this is ${process.versions.node}.`);
if (!existsSync(MAIN)) fail("whytrace is not built yet. Run `npm run build` in the checkout.");
// Imported after the version check: an older Node.js may fail to load it.
await import(MAIN.href);

function fail(message) {
  console.error(message);
  process.exit(1);
}
