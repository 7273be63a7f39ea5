import type { ComparedLine } from "@whytrace/contract";

/** A line with its number from 1 on, or several lines that are the same in both runs. */
export type ShownLine = { line: ComparedLine; number: number } | { folded: number; number: number };

/** Numbers the lines and, if `isFolded`, replaces lines that are the same by how many they are. */
export function foldLines(lines: readonly ComparedLine[], isFolded: boolean): ShownLine[] {
  const shown: ShownLine[] = [];
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const last = shown.at(-1);
    if (!isFolded || line.relation !== "same") shown.push({ line, number });
    else if (last && "folded" in last) last.folded += 1;
    else shown.push({ folded: 1, number });
  }
  return shown;
}
