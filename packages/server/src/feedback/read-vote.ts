import { MAX_FEEDBACK_COMMENT_LENGTH } from "@whytrace/contract/schemas/feedback";
import { HttpError } from "../http/http-error.ts";

/** What a page sends, as far as it is checked. */
interface SentVote {
  token: string;
  value: unknown;
  comment: unknown;
}

const INVALID_JSON = "Invalid JSON in request body";
const NO_TOKEN = "Request body must contain a 'token' string";
const COMMENT = `Invalid comment. Must have at most ${MAX_FEEDBACK_COMMENT_LENGTH} characters`;
const BOOLEAN = "Invalid value. Must be true, false or null";
const number = (max: number | string) => `Invalid value. Must be a number from 0 to ${max} or null`;

/** Error texts for the API reference. */
export const VOTE_ERRORS = [INVALID_JSON, NO_TOKEN, COMMENT, BOOLEAN, number("<max>")];

export function readVote(body: string): SentVote {
  const { token, value, comment } = parseObject(body);
  if (typeof token !== "string") throw new HttpError(400, NO_TOKEN);
  return { token, value, comment };
}

function parseObject(body: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new HttpError(400, INVALID_JSON);
  }
  return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
}

export function readComment(comment: unknown = null): string | null {
  if (comment === null) return null;
  // Characters as people count them, not UTF-16 code units.
  if (typeof comment !== "string" || [...comment].length > MAX_FEEDBACK_COMMENT_LENGTH)
    throw new HttpError(400, COMMENT);
  return comment === "" ? null : comment;
}

/** `max` 0: the token takes true and false. Returns null if the vote is taken back. */
export function readValue(value: unknown, max: number): number | boolean | null {
  if (value === null) return null;
  if (max === 0) {
    if (typeof value !== "boolean") throw new HttpError(400, BOOLEAN);
    return value;
  }
  if (typeof value !== "number" || !(value >= 0 && value <= max)) throw new HttpError(400, number(max));
  return value;
}
