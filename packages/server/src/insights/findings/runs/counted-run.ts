import type { Draw } from "./observed-run.ts";

/** A run as it is counted for one lens. */
export interface CountedRun {
  cluster: number;
  situation: number;
  /** The same for runs of one situation, release, slice of the time range and `runCircumstances`, after an equally ended run of their session. */
  background: number;
  weight: number;
  /** The options of each turn, each once. */
  turns: readonly (readonly number[])[];
  /** Whether each turn answers an error. */
  reactions: readonly boolean[];
  /** How many turns before each turn had an error. */
  errorsBefore: readonly number[];
  isBad: boolean;
  /** The onset of a bad run, the last turn of a good one; -1 without turns. */
  lastAtRisk: number;
  /** Whether it is known when a bad run went wrong. It is not if only the whole run has a score. */
  isLocated: boolean;
  /** Whether the onset begins a circle: the option that is chosen there shows the fault and says nothing about it. */
  isCircle: boolean;
  /** The same for bad runs that went wrong alike. */
  kind: number;
  /** What each turn cost; absent if that is known of none. */
  costs?: readonly (number | null)[] | undefined;
  /** Absent if nothing was drawn at random. */
  draws?: readonly Draw[] | undefined;
}

/** The runs of an agent in a time range. */
export interface CountedRuns {
  runs: readonly CountedRun[];
  /** How many options there are; they are numbered from 0. */
  options: number;
  /** The bucket of each turn, the same for all runs. */
  turnBuckets: readonly number[];
}

/** Stands for the option of a turn that does not exist. */
export const NO_OPTION = -1;

/** The option that a turn is compared by. */
export const callOf = ({ turns }: CountedRun, turn: number) => turns[turn]?.[0] ?? NO_OPTION;
