import type { Links } from "./links.ts";
import type { Page } from "./read-pages.ts";

/** A page as Markdown whose links lead to the Markdown of other pages. */
export function markdownForReaders(page: Page, links: Links): string {
  return page.markdown
    .split(/(^```.*?^```$)/ms)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(/^<!--.*?-->\n+/gm, "").replaceAll(/\]\(([^)\s]+)\)/g, (whole, link: string) => {
            const url = links.resolve(page, link, ".md");
            return url === undefined ? whole : `](${url})`;
          }),
    )
    .join("");
}
