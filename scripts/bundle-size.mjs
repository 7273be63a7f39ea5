// The script a first visit loads, gzipped: no more than the bound.
import { readdirSync, readFileSync } from "node:fs";

const BOUND_BYTES = 180_000;
const folder = new URL("../dashboard/dist/", import.meta.url);
const page = readFileSync(new URL("index.html", folder), "utf8");
const loaded = readdirSync(new URL("assets/", folder)).filter(
  (name) => name.endsWith(".js") && page.includes(name),
);
const bytes = loaded.reduce(
  (sum, name) => sum + readFileSync(new URL(`assets/${name}.gz`, folder)).length,
  0,
);
console.log(
  `first load: ${(bytes / 1_000).toFixed(1)} kB of gzipped script, bound ${BOUND_BYTES / 1_000} kB`,
);
process.exit(loaded.length > 0 && bytes <= BOUND_BYTES ? 0 : 1);
