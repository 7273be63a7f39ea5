// Writes the commands that install the SDK between the markers of every document that shows them. Run it after a change
// of contract/src/install.ts; documents.test.ts fails while a document is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { INSTALL_SDK } from "@whytrace/contract";

const root = join(import.meta.dirname, "..");
export const DOCUMENTS = ["README.md", "docs/first-trace.md", "sdk/README.md"];

const START = "<!-- install the SDK -->";
const END = "<!-- installed -->";

/** Returns the document with the current commands between its markers. */
export function withInstallLines(text: string): string {
  const [before, rest] = text.split(START);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`Missing markers ${START} … ${END}`);
  return `${before}${START}\n\n\`\`\`sh\n${INSTALL_SDK}\n\`\`\`\n\n${END}${after}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  for (const document of DOCUMENTS) {
    const path = join(root, document);
    writeFileSync(path, withInstallLines(readFileSync(path, "utf8")));
  }
