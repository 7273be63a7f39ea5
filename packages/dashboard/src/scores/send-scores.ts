import type { Score } from "@whytrace/contract";
import { ApiError, api } from "../client/api.ts";

/** A score that the signed-in member gives. The same name at the same place replaces it. */
export type GivenScore = Pick<Score, "traceId" | "name" | "value"> &
  Partial<Pick<Score, "id" | "spanId" | "decisionId" | "label" | "comment" | "timestamp" | "metadata">>;

export const giveScore = (score: GivenScore) => api("POST /api/scores", { body: { scores: [score] } });

export async function takeBackScore(id: string) {
  try {
    await api("DELETE /api/scores/:id", { params: { id } });
  } catch (error) {
    // It was taken back elsewhere.
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}
