import { SCORE_KINDS, SCORE_SOURCES } from "@whytrace/contract/schemas/scores";
import { type RawBuilder, sql } from "kysely";
import { toIsoSql } from "../trace-store/rows/record-columns.ts";

const nameOf = (column: string, names: readonly string[]) =>
  `(array[${names.map((name) => `'${name}'`).join(", ")}])[${column} + 1]`;

/** The select list of a score, as responses have it. The kind of its value may have another name. */
export const scoreColumns = (kindName = "kind"): RawBuilder<unknown> =>
  sql.raw(
    [
      "scores.id",
      'scores.trace_id as "traceId"',
      'scores.span_id as "spanId"',
      'scores.decision_point_id as "decisionId"',
      "scores.name",
      `${nameOf("scores.kind", SCORE_KINDS)} as "${kindName}"`,
      "case scores.kind when 0 then to_json(scores.number) when 1 then to_json(scores.number = 1) else to_json(scores.label) end as value",
      "case when scores.kind = 0 then scores.label end as label",
      `${nameOf("scores.source", SCORE_SOURCES)} as source`,
      "nullif(scores.author, '') as author",
      "scores.comment",
      `${toIsoSql("scores.timestamp")} as "timestamp"`,
      "scores.metadata",
      'scores.is_waiting as "isWaiting"',
      `${toIsoSql("scores.created_at")} as "createdAt"`,
    ].join(", "),
  );
