import type { Findings } from "@whytrace/contract";
import { firstCounted } from "../counted-traces.ts";
import type { LeftOutTraces } from "../outcome-note-items.tsx";

/** The runs that a list of findings leaves out. No filter finds those of all agents, nor those of the newest runs alone. */
export const leftOutOfFindings =
  (found: Findings): LeftOutTraces =>
  (missing) => {
    const { agent, answers, isTruncated, to } = found;
    if (agent === null || isTruncated) return undefined;
    const traces = { agent, startedFrom: firstCounted(found), startedTo: to };
    if (missing === null) return { ...traces, outcome: "unknown" };
    return answers ? { ...traces, unasked: answers.sources.join(",") } : undefined;
  };
