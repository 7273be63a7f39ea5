import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { preloadPage } from "./preload-page.ts";

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadFont(), preloadPage(), precompress()],
  resolve: { conditions: ["@whytrace/source"] },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: chunkName, debugName: "chunks" }],
        },
      },
    },
  },
});

const ENTRY = /\/dashboard\/src\/main\.tsx$/;
/** Sentences of Why. Without this, all of `contract` is in the first load, because its modules are imported through one file. */
const SENTENCES = /\/contract\/src\/insights\/[^/]*(sentence|words|notes)\.ts$/;
const FOLDER = /\/dashboard\/src\/([^/]+)\//;
const BASE = ["ui", "client", "shell"];

interface ModuleGraph {
  getModuleInfo(id: string): { importers: string[]; dynamicImporters: string[] } | null;
}

/**
 * What the first load needs is one chunk, each page is one, and so is what several pages share of a feature. Otherwise each
 * set of pages that share a module has a chunk of its own: a page would load forty, and small files compress worse.
 */
function chunkName(id: string, graph: ModuleGraph): string | null {
  if (SENTENCES.test(id)) return "why";
  const pages = pagesOf(id, graph);
  if ([...pages].some((page) => ENTRY.test(page))) return "app";
  if (pages.size < 2) return null;
  const [, folder = "libraries"] = FOLDER.exec(id) ?? [];
  return BASE.includes(folder) ? "shared" : folder;
}

/** The modules that are loaded by themselves, and need this one. */
function pagesOf(id: string, graph: ModuleGraph): Set<string> {
  const pages = new Set<string>();
  const seen = new Set([id]);
  for (const module of seen) {
    const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(module) ?? {};
    if (ENTRY.test(module) || dynamicImporters.length > 0) pages.add(module);
    for (const importer of importers) seen.add(importer);
  }
  return pages;
}

/** Preloads the Latin font, so that text does not change its width once the stylesheet has loaded. */
function preloadFont(): Plugin {
  return {
    name: "preload-font",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
          .map((name) => ({
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: "", href: `/${name}` },
            injectTo: "head" as const,
          })),
    },
  };
}

/** Compresses every text file at build time; the server only picks the variant that the browser accepts. */
function precompress(): Plugin {
  const compressors = { ".br": promisify(brotliCompress), ".gz": promisify(gzip) };
  return {
    name: "precompress",
    apply: "build",
    generateBundle: {
      // Vite writes the preload list of each lazy chunk into the other chunks first.
      order: "post",
      async handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          const source = file.type === "chunk" ? file.code : file.source;
          if (!/\.(js|css|svg)$/.test(file.fileName)) continue;
          for (const [extension, compress] of Object.entries(compressors))
            this.emitFile({
              type: "asset",
              fileName: file.fileName + extension,
              source: await compress(Buffer.from(source)),
            });
        }
      },
    },
  };
}
