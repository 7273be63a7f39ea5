import { escapeHtml } from "./escape-html.ts";
import { NAVIGATION } from "./navigation.ts";
import type { Page } from "./read-pages.ts";
import type { Heading } from "./render-markdown.ts";

interface PageParts {
  page: Page;
  pages: Page[];
  html: string;
  headings: Heading[];
  /** Addresses of the style sheet and of the scripts, which change with their content. */
  assets: { style: string; theme: string; script: string };
  version: string;
}

export function renderPage({ page, pages, html, headings, assets, version }: PageParts): string {
  const index = pages.indexOf(page);
  const [previous, next] = [pages[index - 1], pages[index + 1]];
  const markdown = page.url === "/docs" ? "/docs/index.md" : `${page.url}.md`;
  const title = page.url === "/docs" ? "Whytrace documentation" : `${page.title} · Whytrace`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(descriptionOf(page))}">
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="alternate" type="text/markdown" href="${markdown}">
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.theme}"></script>
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<button id="menu" type="button" aria-expanded="false" aria-controls="navigation" aria-label="Menu"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M2 8h12M2 12h12"/></svg></button>
<a class="brand" href="/docs">Whytrace <span>docs</span></a>
<button id="search" type="button"><span>Search</span> <kbd>/</kbd></button>
<a class="app" href="/">Open Whytrace</a>
<button id="theme" type="button" aria-label="Switch theme"><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6"/><path class="fill" d="M8 2a6 6 0 0 1 0 12z"/></svg></button>
</header>
<div class="columns">
<nav id="navigation" aria-label="Pages">
${renderNavigation(page, pages)}
<p class="version">Version ${escapeHtml(version)}</p>
</nav>
<main id="content">
<article>
${html}
</article>
<footer>
${previous ? `<a rel="prev" href="${previous.url}"><small>Before</small> ${escapeHtml(previous.title)}</a>` : "<span></span>"}
${next ? `<a rel="next" href="${next.url}"><small>Next</small> ${escapeHtml(next.title)}</a>` : ""}
<a class="source" href="${markdown}">This page as Markdown</a>
</footer>
</main>
${renderContents(headings)}
</div>
<dialog id="search-dialog" aria-label="Search the documentation">
<input type="search" placeholder="What are you looking for?" aria-label="Search the documentation" aria-controls="hits" autocomplete="off" spellcheck="false">
<p id="search-status" role="status"></p>
<ul id="hits"></ul>
</dialog>
</body>
</html>
`;
}

function renderNavigation(current: Page, pages: Page[]): string {
  return NAVIGATION.map(({ title, isInternal }) => {
    const own = pages.filter(({ section }) => section === title);
    const isOpen = current.section === title || (!isInternal && own.length < 12);
    const items = own.map(
      (page) =>
        `<li><a href="${page.url}"${page === current ? ' aria-current="page"' : ""}>${escapeHtml(page.title)}</a></li>`,
    );
    if (title === "Reference") items.unshift('<li><a href="/docs/api">HTTP API</a></li>');
    return `<details${isOpen ? " open" : ""}><summary>${title}</summary><ul>${items.join("")}</ul></details>`;
  }).join("\n");
}

function renderContents(headings: Heading[]): string {
  const items = headings.filter(({ level }) => level === 2);
  if (items.length < 2) return "";
  const links = items.map(({ anchor, html }) => `<li><a href="#${anchor}">${html}</a></li>`);
  return `<nav id="contents" aria-label="On this page"><p>On this page</p><ul>${links.join("")}</ul></nav>`;
}

/** The first paragraph, as text. */
export function descriptionOf({ markdown }: Page): string {
  const paragraph = markdown
    .split(/\n{2,}/)
    .find((one) => one.trim() !== "" && !/^(#|<!--|```|\||!\[|-)/.test(one.trim()));
  return (paragraph ?? "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*_]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 300);
}
