/** Start and exclusive end of a part of the text. */
type Slice = [from: number, to: number];

/** Breaks a text at line ends and, if a line is longer than `columns`, at the last space before that. */
export function wrapText(text: string, columns: number, maxLines = Number.POSITIVE_INFINITY): Slice[] {
  const slices: Slice[] = [];
  let from = 0;
  while (from <= text.length && slices.length < maxLines) {
    const newline = text.indexOf("\n", from);
    const lineEnd = newline === -1 ? text.length : newline;
    if (lineEnd - from <= columns) {
      slices.push([from, lineEnd]);
      from = lineEnd + 1;
      continue;
    }
    const space = text.lastIndexOf(" ", from + columns);
    const to = space > from + columns / 2 ? space + 1 : from + columns;
    slices.push([from, to]);
    from = to;
  }
  return slices;
}
