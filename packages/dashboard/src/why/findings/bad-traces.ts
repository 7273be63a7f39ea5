import type { FindingItem, Findings } from "@whytrace/contract";
import type { CountedTraces } from "../../traces/trace-count.tsx";
import { firstCounted } from "../counted-traces.ts";

type CountedRange = Pick<Findings, "from" | "to" | "judging" | "countedFrom">;
type CountedRow = Pick<FindingItem, "agent" | "kind" | "step" | "option" | "countedFrom">;

/**
 * The bad runs of a list, of all agents or of one. Undefined if no filter finds them: of several agents, some with more runs than are
 * counted, each is counted from another time on.
 */
export function badTraces(
  found: CountedRange & Pick<Findings, "agent" | "lens" | "isTruncated">,
): CountedTraces | undefined {
  const { agent, lens, isTruncated, countedFrom } = found;
  if (isTruncated && countedFrom === null) return undefined;
  return { ...(agent === null ? { decided: "yes" as const } : { agent }), ...newestRuns(found), lens };
}

/** The bad runs that chose the option of a row. What was left out was not chosen: then all bad runs of the agent. */
export const badTracesOf = (
  found: CountedRange & Pick<Findings, "lens">,
  row: CountedRow,
): CountedTraces => ({
  ...chosenTraces(found, row),
  lens: found.lens,
});

/** The counted runs that chose the option of a row. */
export const chosenTraces = (
  found: CountedRange,
  { agent, kind, step, option, countedFrom }: CountedRow,
): CountedTraces => ({
  agent,
  ...(kind === "chose" && { step, about: option }),
  ...newestRuns({ ...found, countedFrom }),
});

/** The time range of the runs that are counted. */
export function newestRuns({
  countedFrom,
  ...range
}: CountedRange): Pick<CountedTraces, "startedFrom" | "startedTo"> {
  const first = firstCounted(range);
  return { startedFrom: countedFrom && countedFrom > first ? countedFrom : first, startedTo: range.to };
}
