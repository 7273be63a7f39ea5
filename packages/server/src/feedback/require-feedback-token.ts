import { type FeedbackToken, feedbackSecret, isSignedWith, readFeedbackToken } from "@whytrace/contract";
import { findFeedbackKey } from "../api-keys/find-feedback-key.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";

export const INVALID_TOKEN = "Invalid or expired feedback token";
/** An unknown key takes as long as a known one. */
const NO_KEY_HASH = new Uint8Array(32);

/** What a valid token allows, in the workspace of the key that minted it. */
export interface GrantedFeedback extends FeedbackToken {
  workspaceId: WorkspaceId;
  keyId: string;
}

/** Throws the same 401 for every token that is not valid, whatever is wrong with it. */
export async function requireFeedbackToken(db: Database, text: string): Promise<GrantedFeedback> {
  const token = readFeedbackToken(text);
  if (!token) throw new HttpError(401, INVALID_TOKEN);
  const key = await findFeedbackKey(db, token.ref);
  const isSigned = isSignedWith(feedbackSecret(key?.keyHash ?? NO_KEY_HASH), token);
  if (!key || !isSigned || token.expiresAtSeconds * 1_000 <= Date.now())
    throw new HttpError(401, INVALID_TOKEN);
  const { ref: _ref, body: _body, signature: _signature, ...granted } = token;
  return { ...granted, workspaceId: key.workspaceId, keyId: key.id };
}
