/** Start and exclusive end of a part of the text. */
type Slice = [from: number, to: number];

/** Breaks a text at line ends and, if a line is longer than `columns`, at the last space before that. */
export function wrapText(text: string, columns: number, maxLines = Number.POSITIVE_INFINITY): Slice[] {
  const slices: Slice[] = [];
  let from = 0;
  let lineEnd = -1;
  while (from <= text.length && slices.length < maxLines) {
    // Searched once for each line end: a text of 10 MB may have none.
    if (lineEnd < from) {
      const newline = text.indexOf("\n", from);
      lineEnd = newline === -1 ? text.length : newline;
    }
    if (lineEnd - from <= columns) {
      slices.push([from, lineEnd]);
      from = lineEnd + 1;
      continue;
    }
    // A text may have no spaces either, so only the second half of the line is searched.
    const half = from + Math.floor(columns / 2) + 1;
    const space = text.slice(half, from + columns + 1).lastIndexOf(" ");
    const to = space >= 0 ? half + space + 1 : from + columns;
    slices.push([from, to]);
    from = to;
  }
  return slices;
}
