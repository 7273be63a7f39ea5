// Writes the commands that install the SDK into every document that shows them, between its markers. Run it after
// contract/src/install.ts has changed; a test fails while a document says something else.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { INSTALL_SDK } from "@whytrace/contract";

const root = join(import.meta.dirname, "..");
export const DOCUMENTS = ["README.md", "docs/first-trace.md", "sdk/README.md"];

const START = "<!-- install the SDK -->";
const END = "<!-- installed -->";

/** A document's text with today's commands between its markers. */
export function withInstallLines(text: string): string {
  const [before, rest] = text.split(START);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`There is no ${START} … ${END}`);
  return `${before}${START}\n\n\`\`\`sh\n${INSTALL_SDK}\n\`\`\`\n\n${END}${after}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  for (const document of DOCUMENTS) {
    const path = join(root, document);
    writeFileSync(path, withInstallLines(readFileSync(path, "utf8")));
  }
