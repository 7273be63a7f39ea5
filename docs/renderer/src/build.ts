// Builds the site into dist/. --partial: the checkout has only docs/, as while an image is built.
import { parseArgs } from "node:util";
import { buildSite } from "./build-site.ts";

const { values } = parseArgs({ options: { partial: { type: "boolean", default: false } } });
const startedAt = performance.now();
const { pages, broken } = await buildSite({ isPartial: values.partial });
for (const link of broken) console.error(`Broken link: ${link}`);
console.log(`${pages} pages of documentation in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
process.exitCode = broken.length === 0 ? 0 : 1;
