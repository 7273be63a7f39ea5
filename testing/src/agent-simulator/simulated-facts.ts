import { buildDecisionFacts, type DecidedTrace, type DecisionFacts } from "@whytrace/contract";
import type { SimulatedRun } from "./simulate-run.ts";

export const decidedTrace = (run: SimulatedRun) =>
  ({ ...run, name: "simulated agent", tags: [] }) satisfies DecidedTrace;

/** What the server would count of a simulated run; null if it decided nothing. */
export const simulatedFacts = (run: SimulatedRun): DecisionFacts | null =>
  buildDecisionFacts(decidedTrace(run));
