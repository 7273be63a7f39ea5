import { SCORE_KINDS, SCORE_SOURCES, type ScoreKind } from "@whytrace/contract/schemas/scores";
import { sql } from "kysely";
import type { ParsedScore } from "./parsed-score.ts";

/** Where a score came from (scores.origin). All but the first are part of their trace. */
export const SCORE_ORIGINS = { sent: 0, otlp: 1, event: 2 } as const;

/** A score as its row is written. */
export interface NewScore extends Omit<ParsedScore, "timestamp"> {
  timestamp: string;
  /** A signed number of 64 bits. */
  digest: string;
  isWaiting: boolean;
}

const SENT_TYPES = sql.raw(
  `id text, "traceId" text, "spanId" text, "decisionId" text, name text, source smallint, author text, kind smallint,
  number double precision, label text, comment text, metadata text, timestamp timestamptz, digest bigint, "isWaiting" boolean`,
);
/** The columns of a row that were sent, except for its id, and their values from `sentScores`. */
export const SCORE_COLUMNS = sql.raw(
  "trace_id, span_id, decision_point_id, name, source, author, kind, number, label, comment, metadata, timestamp, digest, is_waiting",
);
export const SENT_SCORE_VALUES = sql.raw(
  `sent."traceId", sent."spanId", sent."decisionId", sent.name, sent.source, sent.author, sent.kind, sent.number, sent.label,
  sent.comment, sent.metadata::json, sent.timestamp, sent.digest, sent."isWaiting"`,
);

/** The scores as a record set that is called `sent`. */
export function sentScores(scores: readonly NewScore[]) {
  const sent = scores.map(({ value, source, author, ...score }) => ({
    ...score,
    source: SCORE_SOURCES.indexOf(source),
    author: author ?? "",
    kind: SCORE_KINDS.indexOf(kindOf(value)),
    number: typeof value === "string" ? null : Number(value),
  }));
  return sql`json_to_recordset(${JSON.stringify(sent)}::json) as sent (${SENT_TYPES})`;
}

export const kindOf = (value: ParsedScore["value"]): ScoreKind =>
  typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "label";

/** The label of a number, or the value that is a label. */
export const labelOf = ({ value, label }: Pick<ParsedScore, "value" | "label">): string | null =>
  typeof value === "string" ? value : label;
