/** Aligns columns: numbers and sizes to the right, if the title starts with a space, and all else to the left. */
export function formatAlignedTable(titles: string[], rows: string[][]): string[] {
  const cells = [titles.map((title) => title.trimStart()), ...rows];
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return titles[column]?.startsWith(" ") ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
}
