import type { Findings } from "@whytrace/contract";
import type { LeftOutTraces } from "../outcome-note-items.tsx";
import { newestRuns } from "./bad-traces.ts";

/** The runs that a list of findings leaves out. No filter finds those of all agents. */
export const leftOutOfFindings =
  (found: Findings): LeftOutTraces =>
  (missing) => {
    const { agent, answers } = found;
    if (agent === null) return undefined;
    const traces = { agent, ...newestRuns(found) };
    if (missing === null) return { ...traces, outcome: "unknown" };
    return answers ? { ...traces, unasked: answers.sources.join(",") } : undefined;
  };
