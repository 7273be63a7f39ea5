import type { InsightsRange } from "@whytrace/contract";
import type { CountedTraces } from "../traces/trace-count.tsx";
import type { CountedSearch } from "./counted-search.ts";

/** The traces that a response counted: those of its agent and release, in the time range that it names. */
export const countedTraces = (
  { agent, from, to }: InsightsRange & { agent: string | null },
  { release }: CountedSearch,
): CountedTraces => ({ agent: agent ?? undefined, release, startedFrom: from, startedTo: to });
