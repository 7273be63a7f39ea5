import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "rolldown";

/*
 * Builds dist/: each entry as an ES module and as CommonJS, with the contract bundled in, and type declarations that
 * import no other package.
 */

const ROOT = import.meta.dirname;
const DIST = join(ROOT, "dist");
const ENTRIES = ["index", "openai", "anthropic", "ai", "langchain", "otel", "explore", "feedback"];

rmSync(DIST, { recursive: true, force: true });
await Promise.all([bundle("esm"), bundle("cjs")]);
writeDeclarations();

async function bundle(format: "esm" | "cjs"): Promise<void> {
  const extension = format === "esm" ? "js" : "cjs";
  await build({
    cwd: ROOT,
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, `src/${entry}.ts`])),
    platform: "neutral",
    resolve: { conditionNames: ["@whytrace/source"] },
    logLevel: "warn",
    output: {
      dir: DIST,
      format,
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `shared/[name].${extension}`,
      // Source comments are for contributors; users read the declarations.
      comments: { legal: true, annotation: true, jsdoc: false },
    },
  });
}

/** Writes the declarations that the entries import, directly or not, once per module system. */
function writeDeclarations(): void {
  const folder = join(DIST, "declarations");
  execFileSync(join(ROOT, "../../node_modules/.bin/tsc"), ["-p", ROOT], { stdio: "inherit" });
  const sources = join(folder, "sdk/src");
  const contract = join(folder, "contract/src/traces/enums.d.ts");
  const queue = ENTRIES.map((entry) => join(sources, `${entry}.d.ts`));
  const done = new Set<string>();
  for (let path = queue.pop(); path; path = queue.pop()) {
    if (done.has(path)) continue;
    done.add(path);
    const isContract = path === contract;
    const name = isContract ? "contract.d.ts" : relative(sources, path);
    const text = readFileSync(path, "utf8").replace(
      /(from |import\()"([^"]+)"/g,
      (_, before, target: string) => {
        if (target === "@whytrace/contract") {
          queue.push(contract);
          const up = name.includes("/") ? ".." : ".";
          return `${before}"${up}/contract.js"`;
        }
        if (!/^\.{1,2}\//.test(target))
          throw new Error(`${name} imports ${target}: declarations must be self-contained`);
        queue.push(join(dirname(path), target.replace(/\.(ts|js)$/, ".d.ts")));
        return `${before}"${target.replace(/\.ts$/, ".js")}"`;
      },
    );
    write(name, text);
    write(name.replace(/\.ts$/, ".cts"), text.replace(/((?:from |import\()"\.[^"]+)\.js"/g, '$1.cjs"'));
  }
  rmSync(folder, { recursive: true });
}

function write(name: string, text: string): void {
  const path = join(DIST, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
