import { createHash } from "node:crypto";
import { MAX_SCORES_PER_TRACE } from "@whytrace/contract/schemas/scores";
import type { ParsedScore } from "./parsed-score.ts";
import type { SCORE_ORIGINS } from "./score-rows.ts";

/** A score that a trace carries: it came as a part of the trace, and is written and removed with it. */
export interface CarriedScore extends Omit<ParsedScore, "id" | "traceId" | "decisionId" | "timestamp"> {
  /** Tells it from the other scores that the trace carries, whenever the trace is sent or derived again. */
  key: string;
  timestamp: number;
}

export type CarriedOrigin = Exclude<keyof typeof SCORE_ORIGINS, "sent">;

/** The scores that a trace carries, with their ids, in the order of their time. Those beyond the limit of a trace are left out. */
export function carriedScores(
  traceId: string,
  origin: CarriedOrigin,
  carried: readonly CarriedScore[],
): ParsedScore[] {
  return carried
    .map(({ key, ...score }) => ({ ...score, id: idOf(origin, traceId, key), traceId, decisionId: null }))
    .sort((a, b) => a.timestamp - b.timestamp || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_SCORES_PER_TRACE);
}

const idOf = (origin: CarriedOrigin, traceId: string, key: string) =>
  `${origin}_${createHash("sha256")
    .update(JSON.stringify([traceId, key]))
    .digest("base64url")
    .slice(0, 32)}`;
