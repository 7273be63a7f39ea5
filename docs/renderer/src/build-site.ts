import { createHash } from "node:crypto";
import {
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { agentPages } from "./agent-pages.ts";
import { Links } from "./links.ts";
import { markdownForReaders } from "./markdown-for-readers.ts";
import { type Page, readPages } from "./read-pages.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { renderPage } from "./render-page.ts";
import { searchEntries } from "./search-entries.ts";

const ROOT = join(import.meta.dirname, "../../..");
const COMPRESSED = /\.(html|css|js|json|svg|md|txt)$/;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

interface BuildOptions {
  isPartial?: boolean;
  folder?: string;
}

/** Writes the site to a folder, whose files stand below /docs/, and returns what links lead nowhere. */
export async function buildSite({
  isPartial = false,
  folder = join(ROOT, "docs/renderer/dist"),
}: BuildOptions = {}) {
  const pages = readPages(ROOT);
  const links = new Links({ root: ROOT, pages, isPartial });
  const { version } = JSON.parse(readFileSync(join(ROOT, "docs/renderer/package.json"), "utf8")) as {
    version: string;
  };
  rmSync(folder, { recursive: true, force: true });
  const write = (name: string, content: string) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    if (!COMPRESSED.test(name)) return;
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(content, BROTLI));
  };

  const assets = writeAssets(write);
  for (const page of pages) {
    const { html, headings } = renderMarkdown(ROOT, page, links);
    write(`${nameOf(page)}.html`, renderPage({ page, pages, html, headings, assets, version }));
    write(`${nameOf(page)}.md`, markdownForReaders(page, links));
  }
  write("search.json", JSON.stringify(pages.flatMap(searchEntries)));
  for (const [name, content] of agentPages(ROOT, pages)) write(name, content);
  for (const file of links.files) copyFile(file, folder, write);
  return { pages: pages.length, broken: links.broken };
}

const nameOf = ({ url }: Page) => (url === "/docs" ? "index" : url.slice("/docs/".length));

/** The names of scripts and styles have a hash of their content, so that browsers keep them. */
function writeAssets(write: (name: string, content: string) => void) {
  const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
  const hashed = (name: string, content: string) => {
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 10);
    const file = `assets/${name.replace(".", `-${hash}.`)}`;
    write(file, content);
    return `/docs/${file}`;
  };
  const script = (path: string) => stripTypeScriptTypes(read(path)).replaceAll(/^ +$|\n(?=\n\n)/gm, "");
  const index = hashed("search-index.js", script("docs/renderer/browser/search-index.ts"));
  write("icon.svg", read("packages/dashboard/public/icon.svg"));
  return {
    theme: hashed("theme.js", read("packages/dashboard/public/theme.js")),
    style: hashed(
      "site.css",
      // The dashboard's build reads @theme; here it is the light theme.
      read("packages/contract/colours.css").replace(/^@theme/m, ":root") +
        read("docs/renderer/browser/site.css"),
    ),
    script: hashed("site.js", script("docs/renderer/browser/site.ts").replace("./search-index.ts", index)),
  };
}

/** What pages link to beside other pages: pictures as they are, everything else as text. */
function copyFile(file: string, folder: string, write: (name: string, content: string) => void) {
  if (file.startsWith("docs/images/")) {
    // Both themes, where a picture has both.
    for (const name of globSync(file.replace(/-(light|dark)\.png$/, "-{light,dark}.png"), { cwd: ROOT }))
      cpSync(join(ROOT, name), join(folder, name.slice("docs/".length)));
    return;
  }
  const path = join(ROOT, file);
  if (!statSync(path).isDirectory()) {
    // Files without an ending that browsers show would be downloaded.
    write(`files/${file}`, readFileSync(path, "utf8"));
    return;
  }
  const names = readdirSync(path).filter((name) => extname(name) !== "" || name === "Dockerfile");
  write(
    `files/${file}/list.txt`,
    `${file}\n\n${names.map((name) => `/docs/files/${file}/${name}`).join("\n")}\n`,
  );
  for (const name of names) write(`files/${file}/${name}`, readFileSync(join(path, name), "utf8"));
}
