// Fails if the gzipped JavaScript that a first visit loads exceeds the limit.
import { readdirSync, readFileSync } from "node:fs";

const MAX_BYTES = 140_000;
const folder = new URL("../packages/dashboard/dist/", import.meta.url);
const page = readFileSync(new URL("index.html", folder), "utf8");
const loaded = readdirSync(new URL("assets/", folder)).filter(
  (name) => name.endsWith(".js") && page.includes(name),
);
const bytes = loaded.reduce(
  (sum, name) => sum + readFileSync(new URL(`assets/${name}.gz`, folder)).length,
  0,
);
console.log(
  `first load: ${(bytes / 1_000).toFixed(1)} kB of gzipped JavaScript, limit ${MAX_BYTES / 1_000} kB`,
);
process.exit(loaded.length > 0 && bytes <= MAX_BYTES ? 0 : 1);
