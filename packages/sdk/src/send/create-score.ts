import type { ScoreArguments } from "../types.ts";
import type { Sendable } from "./sendable.ts";
import { type Redact, toJson } from "./to-json.ts";
import { truncateUtf8 } from "./utf8.ts";

/** The server's limit. */
const MAX_COMMENT_BYTES = 4_000;
/** What the server counts as a bad label, too. */
const FAILING = /^(fail(ed|ure)?|incorrect|wrong|bad|unsafe|not[ _].*)$/is;
const format = { path: "/api/scores", list: "scores" };

/** A judgement of a trace. */
export interface Score extends Sendable {
  /** The judgement says that the run is bad. */
  isFailing: boolean;
}

/** Copies what is given, so that later changes by the caller do not change the score. */
export function createScore(
  redact: Redact | undefined,
  traceId: string,
  ...[name, value, { comment, ...options }]: ScoreArguments
): Score {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new TypeError(`score "${name}" is not finite: ${value}`);
  const { id, spanId, decisionId, source, author, label } = options;
  const fields = {
    timestamp: new Date(),
    ...options,
    comment: comment && truncateUtf8(comment, MAX_COMMENT_BYTES),
    traceId,
    name,
    value,
  };
  const copy = toJson(fields, "score", redact);
  const json = JSON.stringify(copy.value);
  return {
    // The server gives scores with the same key the same id.
    key: JSON.stringify(id ?? [traceId, spanId, decisionId, name, source, author]),
    traceId,
    name,
    format,
    weight: copy.weight,
    isFinal: true,
    revision: 1,
    isFailing: value === false || FAILING.test(String(label ?? value)),
    serialize: () => json,
  };
}
