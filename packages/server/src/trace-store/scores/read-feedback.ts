import { isLonger, storable } from "@whytrace/contract";
import { MAX_SCORE_COMMENT_BYTES, MAX_SCORE_TEXT_BYTES } from "@whytrace/contract/schemas/scores";
import { storableText } from "../rows/storable-text.ts";
import type { ParsedScore } from "./parsed-score.ts";

/** What a user says in an event. */
export type Feedback = Pick<ParsedScore, "name" | "value" | "comment">;

/** Reads the score that an event of the type USER_FEEDBACK is; undefined if its metadata has no value that a score can have. */
export function readFeedback(
  eventName: string,
  metadata: Readonly<Record<string, unknown>>,
): Feedback | undefined {
  const value = Object.hasOwn(metadata, "value") ? readValue(metadata.value) : undefined;
  const name = storableText(eventName, MAX_SCORE_TEXT_BYTES);
  if (value === undefined || name === "") return undefined;
  const { comment } = metadata;
  const hasComment = typeof comment === "string" && comment !== "";
  return { name, value, comment: hasComment ? storableText(comment, MAX_SCORE_COMMENT_BYTES) : null };
}

function readValue(value: unknown): Feedback["value"] | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value === "") return undefined;
  const text = storable(value);
  return isLonger(text, MAX_SCORE_TEXT_BYTES) ? undefined : text;
}
