import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/*
 * A folder in which the program of a guide runs: every package that it imports is a stand-in, and every name that it leaves to
 * the reader is `anything` of stand-ins.js.
 */

const STAND_INS = pathToFileURL(join(import.meta.dirname, "stand-ins.js")).href;

export async function guideProject(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "whytrace-guide-"));
  const code = Object.values(files).join("\n");
  const names = [...new Set(code.match(/\b[A-Za-z_]\w*\b/g))];
  const all = {
    ...files,
    "package.json": '{ "type": "module" }',
    "names.mjs": `import { anything } from "${STAND_INS}";
for (const name of ${JSON.stringify(names)}) if (!(name in globalThis)) globalThis[name] = anything;`,
    ...Object.fromEntries(packagesOf(code).flatMap((name) => packageFiles(name, names))),
  };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** The specifiers of the packages that a program imports or requires. */
const packagesOf = (code: string) =>
  [...code.matchAll(/(?: from |require\()"([^."][^"]*)"/g)].map(([, specifier = ""]) => specifier);

/** A module that exports all names of the program: which of them it imports does not matter. */
function packageFiles(specifier: string, names: string[]): [string, string][] {
  const [root = ""] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  const exported = names.filter((name) => name !== "default");
  return [
    [
      `node_modules/${root}/package.json`,
      '{ "type": "module", "exports": { ".": "./index.js", "./*": "./*/index.js" } }',
    ],
    [
      `node_modules/${specifier}/index.js`,
      `import * as known from "${STAND_INS}";
${exported.map((name) => `const $${name} = known.${name} ?? known.anything;`).join("\n")}
export { ${exported.map((name) => `$${name} as ${name}`).join(", ")} };
export default known.anything;`,
    ],
  ];
}
