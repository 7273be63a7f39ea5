import type { Score } from "@whytrace/contract";
import { api } from "../client/api.ts";
import { giveScore, takeBackScore } from "./send-scores.ts";

const REVIEW = "review";

/** Whether this is a person's judgement of the run, which decides its outcome. */
export const isReview = ({ name, kind, source, spanId, decisionId }: Score) =>
  name === REVIEW && kind === "boolean" && source === "person" && spanId === null && decisionId === null;

/** What a person says about a run: true is good, false is bad, null takes it back. */
export interface Review {
  traceId: string;
  value: boolean | null;
}

/** Saves the review of the signed-in member. Returns the one that it replaced. */
export async function saveReview({ traceId, value }: Review, userId: string): Promise<boolean | null> {
  const { scores } = await api("GET /api/scores", {
    query: { traceId, name: REVIEW, source: "person", author: userId },
  });
  const before = scores.find(isReview);
  if (value !== null) await giveScore({ traceId, name: REVIEW, value });
  else if (before) await takeBackScore(before.id);
  return before ? before.value === true : null;
}
