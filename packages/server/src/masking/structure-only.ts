import type { ScoreSource } from "@whytrace/contract/schemas/scores";
import type { Masker } from "./masker.ts";

/*
 * The level `structure`: what is left when no payload is kept. Options keep their names, because decisions are compared by
 * them, and errors a hash, because issues are grouped by it.
 */

const MASKED = "[masked]";

/** Says how long a payload was. */
export const payloadMark = (bytes: number) => ({ masked: { bytes } });

const MAX_MARK_BYTES = 40;

/** Whether a payload was replaced already: stored values are masked again when rules are applied to them. */
export const isPayloadMark = (bytes: Uint8Array): boolean =>
  bytes.length <= MAX_MARK_BYTES && /^\{"masked":\{"bytes":\d+\}\}$/.test(Buffer.from(bytes).toString());

/** The mark of a value that is not bytes. */
export function markOf<Value>(value: Value): Value | ReturnType<typeof payloadMark> {
  const bytes = Buffer.from(JSON.stringify(value));
  return isPayloadMark(bytes) ? value : payloadMark(bytes.length);
}

export const maskReasoning = (reasoning: string | null) => (reasoning === null ? null : MASKED);

/** What is said about a run quotes it, unless a person of the workspace wrote it. */
export const maskComment = (comment: string | null, source: ScoreSource, masker: Masker) =>
  comment === null || source !== "person" ? maskReasoning(comment) : masker.text(comment, "comments");

/** The JSON that stands for a payload of this JSON. */
export const markOfJson = (json: string): string => {
  const bytes = Buffer.from(json);
  return isPayloadMark(bytes) ? json : JSON.stringify(payloadMark(bytes.length));
};

/** A hash of the message after what is personal in it was masked, so that equal errors stay equal. */
export const hashError = (message: string, masker: Masker): string =>
  /^\[error:[\da-f]{16}\]$/.test(message) ? message : masker.hash("error", masker.text(message, "errors"));

/** An option of a decision: a text, or the name of an object, without arguments. */
export function optionName(option: unknown, masker: Masker): unknown {
  if (option === null || option === undefined) return null;
  if (typeof option === "string") return masker.text(option, "chosen");
  if (typeof option === "object" && "name" in option && typeof option.name === "string")
    return { name: masker.text(option.name, "chosen") };
  return markOf(option);
}
