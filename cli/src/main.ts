#!/usr/bin/env node
const OLDEST = [22, 12] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  console.error(`whytrace needs Node.js ${OLDEST.join(".")} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
// Only now: what it imports may not load on an older Node.js.
const { run } = await import("./run.ts");
process.exitCode = await run(process.argv.slice(2));
