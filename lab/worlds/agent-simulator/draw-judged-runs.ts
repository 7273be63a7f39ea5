import { Random } from "@whytrace/demo";
import type { JudgedRun } from "./blame-failures.ts";
import { REGIMES, type RegimeName } from "./regimes.ts";
import { simulateRun } from "./simulate-run.ts";
import { SimulatedAgent } from "./simulated-agent.ts";
import { simulatedFacts } from "./simulated-facts.ts";

const RUNS_SEED = 1_000_000;

/** Runs of a simulated agent whose faults are known, in the order of time. */
export function drawJudgedRuns(regime: RegimeName, seed: number, count: number): JudgedRun[] {
  const agent = new SimulatedAgent(seed, REGIMES[regime]);
  const random = new Random(RUNS_SEED + seed);
  return Array.from({ length: count }, () => simulateRun(agent, random)).flatMap((run) => {
    const facts = simulatedFacts(run);
    const culprit = run.decisionPoints.findIndex(({ id }) => id === run.failure?.culpritId);
    return facts ? { status: run.status, facts, culprit: culprit < 0 ? null : culprit } : [];
  });
}
