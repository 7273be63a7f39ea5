#!/usr/bin/env node
// Plain JavaScript, because npm links a command at install time only if its file exists, before anything is built.
import { existsSync, readFileSync } from "node:fs";
import zlib from "node:zlib";

const MAIN = new URL("../dist/main.js", import.meta.url);

// The server compresses with zstd, which came with Node.js 22.15 and 23.8.
if (!("createZstdDecompress" in zlib)) {
  const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const advice = "In a checkout, run it with npx.";
  fail(
    `whytrace needs Node.js ${engines.node.slice(">=".length)} or newer; this is ${process.versions.node}. ${advice}`,
  );
}
if (!existsSync(MAIN)) fail("whytrace is not built yet. Run `npm run build` in the checkout.");
// Imported after the check: an older Node.js cannot load it.
await import(MAIN.href);

function fail(message) {
  console.error(message);
  process.exit(1);
}
