import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadFont(), precompress()],
  resolve: { conditions: ["@whytrace/source"] },
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: firstLoadChunk }] } } },
  },
});

const ENTRY = /\/dashboard\/src\/main\.tsx$/;

interface ModuleGraph {
  getModuleInfo(id: string): { importers: string[] } | null;
}

/**
 * Puts everything that a first visit loads into one chunk. Otherwise each set of pages that share a module is a chunk of its own, and
 * dozens of small files compress worse.
 */
function firstLoadChunk(id: string, graph: ModuleGraph): string | null {
  const seen = new Set([id]);
  for (const one of seen) {
    if (ENTRY.test(one)) return "app";
    for (const importer of graph.getModuleInfo(one)?.importers ?? []) seen.add(importer);
  }
  return null;
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
