import type { CountedTraces } from "../traces/trace-count.tsx";
import type { LeftOutTraces } from "./outcome-note-items.tsx";

/** Of counted runs with decisions those that are unknown, and lack a score. If only some agents need it, no filter finds them. */
export const unknownTraces =
  (counted: CountedTraces): LeftOutTraces =>
  (missing) => {
    if (missing?.isOfSomeAgents) return undefined;
    return {
      ...counted,
      ...(counted.agent === undefined && { decided: "yes" as const }),
      outcome: "unknown",
      ...(missing && { scoreName: missing.name, scoreMissing: "true" as const }),
    };
  };
