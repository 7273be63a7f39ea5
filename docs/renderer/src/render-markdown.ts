import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import highlight from "highlight.js";
import { Marked, type Tokens } from "marked";
import { escapeHtml } from "./escape-html.ts";
import { headingAnchors } from "./heading-anchors.ts";
import type { Links } from "./links.ts";
import type { Page } from "./read-pages.ts";

export interface Heading {
  level: number;
  anchor: string;
  html: string;
}

const LANGUAGES: Readonly<Record<string, string>> = { sh: "bash", console: "bash", mjs: "js", jsonc: "json" };

/** The body of a page, and its headings. Nothing in it has a style or a script, because the server's policy allows neither. */
export function renderMarkdown(
  root: string,
  page: Page,
  links: Links,
): { html: string; headings: Heading[] } {
  const anchors = headingAnchors(page.markdown);
  let tables = 0;
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading(html, level) {
        const anchor = anchors[headings.length] ?? "";
        headings.push({ level, anchor, html: html.replaceAll(/<\/?a\b[^>]*>/g, "") });
        return level === 1
          ? `<h1>${html}</h1>\n`
          : `<h${level} id="${anchor}">${html} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${level}>\n`;
      },
      link(href, _title, text) {
        const url = links.resolve(page, href);
        return url === undefined ? text : `<a href="${escapeHtml(url)}">${text}</a>`;
      },
      image(href, _title, alt) {
        return renderImage(root, links.resolve(page, href) ?? "", alt);
      },
      code(code, language) {
        return renderCode(code, language);
      },
      // Wide tables scroll by themselves, also by keyboard.
      table: (head, body) => {
        tables += 1;
        const filled = head.replaceAll("<th></th>", "<td></td>");
        return `<div class="table" role="region" aria-label="Table ${tables}" tabindex="0"><table><thead>${filled}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(page.markdown, { async: false }) as Tokens.Generic["raw"];
  return { html, headings };
}

function renderCode(code: string, info: string | undefined): string {
  const language = info?.trim().split(/\s/)[0] ?? "";
  const known = highlight.getLanguage(LANGUAGES[language] ?? language) && (LANGUAGES[language] ?? language);
  const html = known ? highlight.highlight(code, { language: known }).value : escapeHtml(code);
  return `<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${html}\n</code></pre>\n`;
}

/**
 * With the size of the file, so that the text below does not move. It leads to the file, because a phone shows a page of a wide screen too
 * small to be read. A picture of the light theme has one of the dark theme beside it.
 */
function renderImage(root: string, url: string, alt: string): string {
  const one = (address: string, className: string) => {
    const file = readFileSync(join(root, address));
    // A PNG has its size in the first chunk.
    const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
    const image = `<img src="${address}" alt="${escapeHtml(alt)}" width="${width}" height="${height}" loading="lazy" decoding="async">`;
    return `<a class="${className}" href="${address}">${image}</a>`;
  };
  const dark = url.replace("-light.", "-dark.");
  return dark !== url && existsSync(join(root, dark))
    ? `${one(url, "light-only")}${one(dark, "dark-only")}`
    : one(url, "");
}
