import type { Entry } from "../browser/search-index.ts";
import { headingAnchors } from "./heading-anchors.ts";
import type { Page } from "./read-pages.ts";

/** A page in pieces, one for each heading of the first three levels, as plain text. */
export function searchEntries(page: Page): Entry[] {
  const anchors = headingAnchors(page.markdown);
  const entries: Entry[] = [];
  let isCode = false;
  let seen = 0;
  for (const line of page.markdown.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const [, level = "", heading = ""] = (!isCode && /^(#{1,6}) (.*)$/.exec(line)) || [];
    const anchor = level === "" ? "" : anchors[seen++];
    const last = entries.at(-1);
    if (level !== "" && level.length <= 3)
      entries.push({
        url: level.length === 1 ? page.url : `${page.url}#${anchor}`,
        page: page.title,
        section: page.section,
        heading: level.length === 1 ? "" : plainText(heading),
        text: "",
        // A list made from the code comes after the page that explains it.
        ...((page.isInternal || page.url.startsWith("/docs/reference/")) && { isInternal: true }),
      });
    else if (last) last.text += `${plainText(line)} `;
  }
  return entries.map((entry) => ({ ...entry, text: entry.text.replaceAll(/\s+/g, " ").trim() }));
}

const plainText = (markdown: string) =>
  markdown
    .replaceAll(/<!--.*?-->/g, "")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^\s*(```\w*|\|[\s|:-]+\|)\s*$/g, "")
    .replaceAll(/[`*|]|^#+ /g, " ");
