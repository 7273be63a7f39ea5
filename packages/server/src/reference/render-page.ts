import type { ApiDocument } from "./document.ts";
import { type Html, html, paragraphs } from "./html.ts";
import { type LocatedOperation, renderOperation, wrappablePath } from "./render-operation.ts";

/** Renders the API reference as one page without scripts. */
export function renderPage({ info, servers, tags, paths }: ApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const origin = servers[0]?.url ?? "";
  const sections = tags.map(({ name, description }) => ({
    name,
    description,
    anchor: name.toLowerCase().replaceAll(" ", "-"),
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/api.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Contents">
<details>
<summary class="fold contents">Contents</summary>
${sections.map(
  (
    section,
  ) => html`<p class="entries"><a class="plain contents" href="#${section.anchor}">${section.name}</a></p>
<ul>${section.operations.map(renderEntry)}</ul>`,
)}
</details>
</nav>
<main id="content">
<header>
<h1>${info.title}</h1>
<p class="quiet">Version ${info.version} · <a href="/api/openapi.json">OpenAPI 3.1 document</a></p>
${paragraphs(info.description)}
</header>
${sections.map(
  (section) => html`<section class="section" id="${section.anchor}">
<h2>${section.name}</h2>
<p class="quiet">${section.description}</p>
${section.operations.map((operation) => renderOperation(operation, origin))}
</section>
`,
)}
</main>
</body>
</html>
`.text;
}

const renderEntry = ({ path, method, operation }: LocatedOperation): Html =>
  html`<li><a class="entry" href="#${operation.operationId}"><span class="method bare ${method}">${method.toUpperCase()}</span> <span>${wrappablePath(path.replace("/api", ""))}</span></a></li>`;
