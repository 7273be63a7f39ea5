/** From where to where in a text, exclusive. */
export type Slice = [from: number, to: number];

/** Breaks a text at its line ends and, where a line is longer than the columns, at its last blank before them. */
export function wrapText(text: string, columns: number, most = Number.POSITIVE_INFINITY): Slice[] {
  const slices: Slice[] = [];
  let from = 0;
  while (from <= text.length && slices.length < most) {
    const newline = text.indexOf("\n", from);
    const lineEnd = newline === -1 ? text.length : newline;
    if (lineEnd - from <= columns) {
      slices.push([from, lineEnd]);
      from = lineEnd + 1;
      continue;
    }
    const blank = text.lastIndexOf(" ", from + columns);
    const to = blank > from + columns / 2 ? blank + 1 : from + columns;
    slices.push([from, to]);
    from = to;
  }
  return slices;
}
