/** A heading's anchor as GitHub makes it: lower case, no punctuation, hyphens for spaces. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** The anchors of a page in order; a heading that repeats another gets a number. */
export function headingAnchors(markdown: string): string[] {
  const counts = new Map<string, number>();
  return [...markdown.replaceAll(/^```.*?^```/gms, "").matchAll(/^#{1,6} (.*)$/gm)].map(
    ([, heading = ""]) => {
      const anchor = anchorOf(heading);
      const count = counts.get(anchor) ?? 0;
      counts.set(anchor, count + 1);
      return count === 0 ? anchor : `${anchor}-${count}`;
    },
  );
}
