import { buildDecisionFacts } from "../../../packages/server/src/decision-facts/build-decision-facts.ts";
import type { DecisionFacts } from "../../../packages/server/src/decision-facts/decision-facts.ts";
import type { SimulatedRun } from "./simulate-run.ts";

/** What the server would count of a simulated run; null if it decided nothing. */
export const simulatedFacts = (run: SimulatedRun): DecisionFacts | null =>
  buildDecisionFacts({ ...run, name: "simulated agent", tags: [] });
