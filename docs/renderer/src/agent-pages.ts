import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NAVIGATION } from "./navigation.ts";
import type { Page } from "./read-pages.ts";
import { descriptionOf } from "./render-page.ts";

const SUMMARY = `# Whytrace

> Records what AI agents did: model calls, tool calls and the decisions between them, each with the chosen option, the alternatives,
> the reason and the context. Compares what followed each choice, and names the choices that explain failed runs.

Every page of this documentation is available as Markdown at its address plus \`.md\`. To instrument a repository, follow
/docs/coding-agents.md. All addresses are on the server that you read this from; its version is the one that the pages describe.`;

/** What coding agents read: the list of pages by llmstxt.org, and the skill. Names and contents of files. */
export function agentPages(root: string, pages: Page[]): [string, string][] {
  const sections = NAVIGATION.map(({ title, isInternal }) => {
    const items = pages
      .filter(({ section }) => section === title)
      .map(
        (page) =>
          `- [${page.title}](${page.url === "/docs" ? "/docs/index" : page.url}.md): ${descriptionOf(page)}`,
      );
    if (title === "Reference")
      items.unshift(
        "- [HTTP API](/api/openapi.json): every path, parameter, response and error text, as OpenAPI 3.1",
      );
    // By the convention, readers with little room leave out what is optional.
    return `## ${isInternal ? "Optional" : title}\n\n${items.join("\n")}`;
  });
  const skill = "docs/skills/whytrace";
  return [
    ["llms.txt", `${[SUMMARY, ...sections].join("\n\n")}\n`],
    ...readdirSync(join(root, skill)).map((name): [string, string] => [
      `skill/${name}`,
      readFileSync(join(root, skill, name), "utf8"),
    ]),
  ];
}
