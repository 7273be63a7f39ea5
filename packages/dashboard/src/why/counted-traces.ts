import type { InsightsRange } from "@whytrace/contract";
import type { CountedTraces } from "../traces/trace-count.tsx";
import type { CountedSearch } from "./counted-search.ts";

/** The traces that a response counted: those of its agent and release, in the time range that it names. */
export const countedTraces = (
  range: InsightsRange & { agent: string | null },
  { release }: CountedSearch,
): CountedTraces => ({
  agent: range.agent ?? undefined,
  release,
  startedFrom: firstCounted(range),
  startedTo: range.to,
});

/** While stored runs are judged again, the first days are not counted. */
export const firstCounted = ({ from, judging }: Pick<InsightsRange, "from" | "judging">): string =>
  judging?.countedFrom && judging.countedFrom > from ? judging.countedFrom : from;
