// Writes the commands that install and start Whytrace between the markers of every document that shows them. Run it after a
// change of packages/contract/src/install.ts; documents.test.ts fails while a document is out of date.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { INSTALL_CLI, INSTALL_SDK, RUN_CLI } from "@whytrace/contract";

const root = join(import.meta.dirname, "..");
export const DOCUMENTS = [
  "README.md",
  "docs/index.md",
  "docs/first-trace.md",
  "docs/sdk.md",
  "packages/sdk/README.md",
  "docs/cli.md",
  "docs/coding-agents.md",
  "packages/cli/README.md",
];

const COMMANDS = {
  "<!-- install the SDK -->": INSTALL_SDK,
  "<!-- install the command line -->": INSTALL_CLI,
  "<!-- run the command line -->": RUN_CLI,
};
const END = "<!-- end -->";

/** Returns the document with the current commands between its markers. */
export function withInstallLines(text: string): string {
  const markers = Object.entries(COMMANDS).filter(([marker]) => text.includes(marker));
  if (markers.length === 0) throw new Error(`Missing one of the markers ${Object.keys(COMMANDS).join(", ")}`);
  return markers.reduce((written, [marker, commands]) => {
    const start = written.indexOf(marker);
    const end = written.indexOf(END, start);
    if (end < 0) throw new Error(`Missing ${END} after ${marker}`);
    return `${written.slice(0, start)}${marker}\n\n\`\`\`sh\n${commands}\n\`\`\`\n\n${written.slice(end)}`;
  }, text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  for (const document of DOCUMENTS) {
    const path = join(root, document);
    writeFileSync(path, withInstallLines(readFileSync(path, "utf8")));
  }
