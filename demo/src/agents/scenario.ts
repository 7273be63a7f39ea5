import type { Recording } from "../recording.ts";

export interface Scene {
  /** Which run of its session this is, from 1. */
  turn: number;
  /** The day on which something the agents depend on was broken. */
  isIncident: boolean;
  /** Everything that goes together in one session draws from the same numbers. */
  sessionSeed: number;
}

export interface Scenario {
  /** "agent: task", as the trace is called. */
  name: string;
  /** How often it comes up, beside the others. */
  weight: number;
  tags: readonly [readonly string[], ...(readonly string[])[]];
  /** How many runs a session of it has at most; 0: it has no session. */
  turnsAtMost: number;
  version: string;
  play(run: Recording, scene: Scene): void;
}
