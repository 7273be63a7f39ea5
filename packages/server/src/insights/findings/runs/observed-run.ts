/** A decision whose option was drawn at random. */
export interface Draw {
  /** Where it was drawn: only draws of one place are compared. */
  place: number;
  option: number;
  /** With which this option was drawn. */
  probability: number;
}

/** A run of an agent, as it was recorded: all that findings are computed from. */
export interface ObservedRun {
  /** The options that each turn chose, numbered from 0 within the agent. The first one is what the turn is compared by. */
  turns: readonly (readonly number[])[];
  /** The kind of each turn's error, or null. */
  errors: readonly (number | null)[];
  /** Whether each turn answers an error, as a retry does: it is compared with such turns only, and never suspected. */
  reactions: readonly boolean[];
  status: "COMPLETED" | "ERROR" | "RUNNING";
  /** The kind of the message that a failed run ended with, or null: counts if no turn has the error. */
  messageKind: number | null;
  isScoredBad: boolean;
  /** The turn that its first bad score is about; undefined if no single one is. */
  scoredTurn?: number | undefined;
  /** Whether it is bad by something else than a score, such as its status or a tag. Default: it ended in ERROR. */
  isBadByObserved?: boolean;
  /** The same for runs that belong together: of one session, else of one user. */
  cluster: number;
  /** What was known before the first turn. */
  situation: number;
  release: number;
  startedAtMs: number;
  /** How many runs it stands for: 1 / the probability with which it was kept. */
  weight: number;
  /** What each turn cost until the next one of its place, in US dollars; null if unknown. Absent if all are. */
  costs?: readonly (number | null)[];
  /** Absent if nothing was drawn. */
  draws?: readonly Draw[];
}
