import type { SimulatedRun } from "../simulated-run.ts";

export interface RunContext {
  /** Number of this run in its agent session, from 1. */
  turn: number;
  /** True while a service that the agents depend on is broken. */
  isIncident: boolean;
  /** Gives all runs of an agent session the same customer. */
  agentSessionSeed: number;
}

export interface Scenario {
  /** Name of the trace, as "agent: task". */
  name: string;
  /** Relative frequency. */
  weight: number;
  tags: readonly [readonly string[], ...(readonly string[])[]];
  /** Maximum number of runs in an agent session; 0 if the runs have no session. */
  maxTurns: number;
  version: string;
  simulate(run: SimulatedRun, context: RunContext): void;
}
