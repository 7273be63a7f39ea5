import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, Rolldown } from "vite";

type Bundle = Rolldown.OutputBundle;

const SRC = join(import.meta.dirname, "src");
const PATH = /^ {2}(\w+): "([^"]+)",$/gm;
const ROUTE = /path: paths\.(?<name>\w+),(?:(?!createRoute)[\s\S])*?import\("\.\/(?<page>[^"]+)"\)/g;

/**
 * Preloads the chunks of the page that the address names, beside those of the first load. Otherwise a browser finds out which
 * it needs when it has run the first load, which on a slow connection is seconds later.
 */
export function preloadPage(): Plugin {
  let source = "";
  return {
    name: "preload-page",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle = {} }) => {
        source = preloadScript(bundle);
        return [{ tag: "script", attrs: { src: `/${fileName(source)}`, async: true }, injectTo: "head" }];
      },
    },
    generateBundle: {
      // Vite writes index.html first.
      order: "post",
      handler() {
        this.emitFile({ type: "asset", fileName: fileName(source), source });
      },
    },
  };
}

const fileName = (source: string) =>
  `assets/preload-page-${createHash("sha256").update(source).digest("base64url").slice(0, 8)}.js`;

function preloadScript(bundle: Bundle): string {
  const pages = pageFiles().map(({ path, file }) => ({ path, chunks: chunksOf(file, bundle) }));
  const names = [...new Set(pages.flatMap(({ chunks }) => chunks))];
  // A path without parameters goes before one that also fits it.
  const patterns = pages
    .toSorted((a, b) => Number(a.path.includes("$")) - Number(b.path.includes("$")))
    .map(({ path, chunks }) => [
      `^${path.replaceAll(/\$\w+/g, "[^/]+")}/?$`,
      chunks.map((name) => names.indexOf(name)),
    ]);
  return `(() => {
const names = ${JSON.stringify(names)};
const path = location.pathname.replace(/^\\/w\\/[^/]+(?=\\/|$)/, "") || "/";
const [, chunks = []] = ${JSON.stringify(patterns)}.find(([pattern]) => new RegExp(pattern).test(path)) ?? [];
for (const index of chunks)
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", crossOrigin: "", href: "/" + names[index] }));
})();
`;
}

/** The file of the page of each path, as `paths.ts` and `routes.ts` of the features say. */
function pageFiles(): { path: string; file: string }[] {
  const read = (file: string) => readFileSync(join(SRC, file), "utf8");
  const paths = new Map([...read("paths.ts").matchAll(PATH)].map(([, name = "", path = ""]) => [name, path]));
  return globSync("*/routes.{ts,tsx}", { cwd: SRC }).flatMap((routes) =>
    [...read(routes).matchAll(ROUTE)].map(({ groups: { name = "", page = "" } = {} }) => ({
      path: paths.get(name) ?? "",
      file: join(SRC, routes, "..", page),
    })),
  );
}

/** The chunks that a page needs beside those of the first load. */
function chunksOf(file: string, bundle: Bundle): string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
  const reach = (from: Rolldown.OutputChunk | undefined) => {
    const names = new Set(from ? [from.fileName] : []);
    for (const name of names)
      for (const imported of chunks.find((chunk) => chunk.fileName === name)?.imports ?? [])
        names.add(imported);
    return names;
  };
  const first = reach(chunks.find(({ isEntry }) => isEntry));
  return [...reach(chunks.find(({ facadeModuleId }) => facadeModuleId === file))].filter(
    (name) => !first.has(name),
  );
}
