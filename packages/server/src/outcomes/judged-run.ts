import type { DecisionPointType, EventType, Status } from "@whytrace/contract";
import type { ScoreKind, ScoreSource } from "@whytrace/contract/schemas/scores";

/** A score as far as it decides about its run. */
export interface JudgedScore {
  id: string;
  spanId: string | null;
  decisionId: string | null;
  name: string;
  source: ScoreSource;
  /** Empty if nobody was named. */
  author: string;
  kind: ScoreKind;
  /** Booleans as 0 and 1; null for a label. */
  number: number | null;
  label: string | null;
  /** Later ones sort after earlier ones. */
  timestamp: string;
}

/** A run as far as conditions look at it. */
export interface JudgedRun {
  status: Status;
  tags: readonly string[];
  /** The top level of its metadata. */
  metadata: Readonly<Record<string, unknown>>;
  totalCost: number | null;
  totalDuration: number | null;
  /** Empty unless a condition of the definition looks at events. */
  events: readonly { id: string; type: EventType; name: string }[];
  /** Empty unless a condition of the definition looks at decisions. */
  decisions: readonly { id: string; type: DecisionPointType; option: string | null }[];
}

/** The key of the metadata under which a sender records for which names a user was asked: a list, or one name. */
export const ASKED_KEY = "whytrace.feedback";

/** The names of scores for which a user of the run was asked. */
export function askedNames(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  const asked = metadata[ASKED_KEY];
  return (Array.isArray(asked) ? asked : [asked]).filter((name) => typeof name === "string");
}
