import type { ScoreSummary } from "@whytrace/contract";
import type { CountedTraces } from "../traces/trace-count.tsx";
import type { ScoresSearch } from "./scores-search.ts";

export type NamedSummary = ScoreSummary["names"][number];

/** The traces that a summary counted. */
export const countedRuns = ({ from, to }: ScoreSummary, { agent }: ScoresSearch): CountedTraces => ({
  agent,
  startedFrom: from,
  startedTo: to,
});
