import type { FindingItem, Findings } from "@whytrace/contract";
import type { CountedTraces } from "../../traces/trace-count.tsx";

/** The list of traces has no filter for who made a run bad: it shows all bad runs. */
const FILTERS = {
  failed: { status: "ERROR" },
  error: { errorsFrom: "1" },
  scored: { outcome: "bad" },
} as const satisfies Record<Findings["lens"], Partial<CountedTraces>>;

/** The bad runs of a list, of all agents or of one; with an option, those that chose it. */
export function badTraces(
  { from, to, lens }: Pick<Findings, "from" | "to" | "lens">,
  agent: string | null,
  chosen?: Pick<FindingItem, "step" | "option">,
): CountedTraces {
  return {
    ...chosenTraces({ from, to }, agent, chosen),
    ...FILTERS[lens],
  };
}

/** The runs that decided something, of all agents or of one; with an option, those that chose it. */
export function chosenTraces(
  { from, to }: Pick<Findings, "from" | "to">,
  agent: string | null,
  chosen?: Pick<FindingItem, "step" | "option">,
): CountedTraces {
  return {
    ...(agent === null ? { decided: "yes" as const } : { agent }),
    ...(chosen && { step: chosen.step, about: chosen.option }),
    startedFrom: from,
    startedTo: to,
  };
}
