import type { WorldRandom } from "./world-random.ts";

/** One call of a tool. */
export interface ToolCall {
  tool: string;
  /** The message of the call's error, or null. */
  error: string | null;
}

/** One answer of the model: mostly one call, several if they are made at once. */
export type WorldTurn = readonly ToolCall[];

export interface WorldRun {
  turns: readonly WorldTurn[];
  status: "COMPLETED" | "ERROR" | "RUNNING";
  /** Of the root span. */
  message: string | null;
  /** Whether somebody scored the whole run as bad. */
  isScoredBad: boolean;
  /** The turn whose calls were scored as bad, instead of the whole run. */
  scoredTurn?: number;
  /** Runs of one session belong together. */
  session: string | null;
  release: string | null;
  /** What is recorded about the case before anything is decided. */
  situation: string | null;
  /** With which the run was kept. */
  sampleProbability: number;
  /** The truth: the turns that made this run go wrong. None: chance. */
  culprits: readonly number[];
  /** The truth: the tool whose absence made this run go wrong. */
  missing: string | null;
}

/** What a list can say: a tool was chosen, or it was left out. */
export type Claim = `${"chose" | "left out"} ${string}`;

/** An agent whose faults are known. */
export interface WorldAgent {
  tools: readonly string[];
  /** One of these has to be found; none: nothing is to be found. */
  guilty: readonly Claim[];
  /** True as well, and need not be found. A list that claims anything else is false. */
  alsoTrue?: readonly Claim[];
  /** Draws the next run, in the order of time. */
  run(index: number, of: number): WorldRun;
}

/** A kind of agents. */
export interface World {
  name: string;
  /** What makes runs go wrong. */
  plants: string;
  /** Which end of a run is bad: failed (the default), an error that the run got over, or a bad score. */
  lens?: "failed" | "error" | "scored";
  /** Nothing that is recorded tells the truth, so no method can be right. */
  isHopeless?: boolean;
  draw(random: WorldRandom): WorldAgent;
}
