import type { InsightsRange } from "@whytrace/contract";
import type { CountedTraces } from "../traces/trace-count.tsx";

/** The traces that a response counted: those of its agent, in the time range that it names. */
export const countedTraces = ({
  agent,
  from,
  to,
}: InsightsRange & { agent: string | null }): CountedTraces => ({
  agent: agent ?? undefined,
  startedFrom: from,
  startedTo: to,
});
