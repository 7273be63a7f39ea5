import type { TracesSearch } from "./traces-search.ts";

/** The traces that are marked to be compared. */
export type Marks = Pick<TracesSearch, "compareA" | "compareB">;

/** Marks a trace, or removes its mark. A third mark replaces the second. */
export function toggleMark({ compareA, compareB }: Marks, id: string): Marks {
  if (id === compareA) return { compareA: compareB };
  if (id === compareB) return { compareA };
  return compareA === undefined ? { compareA: id } : { compareA, compareB: id };
}

export const markOf = ({ compareA, compareB }: Marks, id: string): "A" | "B" | undefined =>
  id === compareA ? "A" : id === compareB ? "B" : undefined;
