/** Start and exclusive end of an occurrence. Its length may differ from the query's: `ſ` matches `s`. */
export type Occurrence = readonly [from: number, to: number];

/** Where a text contains a query, ignoring case, without overlaps. */
export function findOccurrences(
  text: string,
  query: string,
  maxCount = Number.POSITIVE_INFINITY,
): Occurrence[] {
  const found: Occurrence[] = [];
  if (query === "") return found;
  const pattern = new RegExp(query.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&"), "giu");
  for (let match = pattern.exec(text); match && found.length < maxCount; match = pattern.exec(text))
    found.push([match.index, match.index + match[0].length]);
  return found;
}
