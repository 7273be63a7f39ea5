import { storable } from "@whytrace/contract";
import { HttpError } from "../http/http-error.ts";
import { padResponseTime } from "../http/pad-response-time.ts";
import { automaticScoreId } from "../trace-store/scores/parsed-score.ts";
import type { ScoreStore } from "../trace-store/scores/score-store.ts";
import { type GrantedFeedback, INVALID_TOKEN } from "./require-feedback-token.ts";

interface Vote {
  /** Null takes the vote back. */
  value: number | boolean | null;
  comment: string | null;
}

/**
 * Stores the vote as a score, or takes it back. Neither the result nor its time tells whether the trace exists: the limits of a
 * trace and of waiting scores, which would tell, drop the vote silently.
 */
export function saveVote(scores: ScoreStore, granted: GrantedFeedback, vote: Vote): Promise<void> {
  return padResponseTime(async () => {
    try {
      await save(scores, granted, vote);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      // The key was revoked meanwhile.
      if (error.status === 401) throw new HttpError(401, INVALID_TOKEN);
      if (error.status !== 409 && error.status !== 429) throw error;
    }
  });
}

async function save(scores: ScoreStore, granted: GrantedFeedback, { value, comment }: Vote): Promise<void> {
  const { workspaceId, keyId, traceId, name } = granted;
  const author = granted.author || null;
  const place = { traceId, spanId: null, decisionId: null, name, source: "user", author } as const;
  const id = automaticScoreId(place);
  if (value === null) {
    await scores.delete(workspaceId, id);
    return;
  }
  const text = comment === null ? null : storable(comment);
  const score = { ...place, id, value, label: null, comment: text, timestamp: null, metadata: null };
  await scores.store({ workspaceId, keyId }, [score], Buffer.byteLength(`${traceId}${name}${text}`));
}
