import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const API = "http://127.0.0.1:3000";

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadedFont(), compressed()],
  resolve: { conditions: ["@whytrace/source"] },
  // Development: the API of a server on its default port.
  server: { proxy: { "/api": API, "/docs": API } },
  build: { target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
});

/** The font of nearly every letter comes with the page, not after its styles: text does not change its width. */
function preloadedFont(): Plugin {
  return {
    name: "preloaded-font",
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

/** Packs every text once, at build time, so that the server only picks the right file. */
function compressed(): Plugin {
  const packers = { ".br": promisify(brotliCompress), ".gz": promisify(gzip) };
  return {
    name: "compressed",
    apply: "build",
    generateBundle: {
      // After Vite has written what each lazy chunk needs into the others.
      order: "post",
      async handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          const source = file.type === "chunk" ? file.code : file.source;
          if (!/\.(js|css|svg)$/.test(file.fileName)) continue;
          for (const [ending, pack] of Object.entries(packers))
            this.emitFile({
              type: "asset",
              fileName: file.fileName + ending,
              source: await pack(Buffer.from(source)),
            });
        }
      },
    },
  };
}
