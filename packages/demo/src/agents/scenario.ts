import type { SimulatedRun } from "../simulated-run.ts";

export interface RunContext {
  /** Number of this run in its agent session, from 1. */
  turn: number;
  /** True while a service that the agents depend on is broken. */
  isIncident: boolean;
  /** Gives all runs of an agent session the same customer. */
  agentSessionSeed: number;
  /** The release of the agent at that time. */
  version: string;
}

interface Release {
  version: string;
  /** How many days before today it was deployed. */
  daysAgo: number;
}

export interface Scenario {
  /** Name of the trace, as "agent: task". */
  name: string;
  /** Relative frequency. */
  weight: number;
  tags: readonly [readonly string[], ...(readonly string[])[]];
  /** Maximum number of runs in an agent session; 0 if the runs have no session. */
  maxTurns: number;
  /** The newest first. The oldest one also ran before its day. */
  releases: readonly [Release, ...Release[]];
  simulate(run: SimulatedRun, context: RunContext): void;
}
