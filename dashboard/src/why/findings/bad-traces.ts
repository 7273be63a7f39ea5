import type { FindingItem, Findings } from "@whytrace/contract";
import type { CountedTraces } from "../../traces/trace-count.tsx";
import { firstCounted } from "../counted-traces.ts";

const FILTERS = {
  failed: { lens: "failed" },
  error: { errorsFrom: "1" },
  scored: { lens: "scored" },
} as const satisfies Record<Findings["lens"], Partial<CountedTraces>>;

type CountedRange = Pick<Findings, "from" | "to" | "judging">;

/** The bad runs of a list, of all agents or of one; with an option, those that chose it. */
export function badTraces(
  { lens, ...range }: CountedRange & Pick<Findings, "lens">,
  agent: string | null,
  chosen?: Pick<FindingItem, "step" | "option">,
): CountedTraces {
  return { ...chosenTraces(range, agent, chosen), ...FILTERS[lens] };
}

/** The runs that decided something, of all agents or of one; with an option, those that chose it. */
export function chosenTraces(
  range: CountedRange,
  agent: string | null,
  chosen?: Pick<FindingItem, "step" | "option">,
): CountedTraces {
  return {
    ...(agent === null ? { decided: "yes" as const } : { agent }),
    ...(chosen && { step: chosen.step, about: chosen.option }),
    startedFrom: firstCounted(range),
    startedTo: range.to,
  };
}
