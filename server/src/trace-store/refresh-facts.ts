import type { DecidedPoint, DecidedSpan, DecidedTrace } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../db/database.ts";
import { textList } from "../db/text-list.ts";
import { MAX_METADATA_BYTES } from "./metadata-pairs.ts";
import {
  COMPUTED_FACTS,
  FACTS_ASSIGNMENTS,
  SENT_FACTS_COLUMNS,
  sentFacts,
  traceFacts,
} from "./trace-facts.ts";

/** Longer values are not read to sign a decision. This is one character more than the limit of signDecision. */
const MAX_OPTION_LENGTH = 32 * 1024 + 1;

/** Computes the facts of stored traces from their rows, and stores them. The caller has locked the traces. */
export async function refreshFacts(trx: Database, userId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const refreshed = (await readDecidedTraces(trx, userId, ids)).map((trace) => ({
    id: trace.id,
    ...sentFacts(traceFacts(trace)),
  }));
  await sql`
    update traces set ${sql.raw(FACTS_ASSIGNMENTS)}
    from (
      select id, ${sql.raw(COMPUTED_FACTS)}
      from json_to_recordset(${JSON.stringify(refreshed)}::json) as sent (id text, ${sql.raw(SENT_FACTS_COLUMNS)})
    ) as sent
    where traces.user_id = ${userId} and traces.id = sent.id`.execute(trx);
}

type InTrace<Row> = Row & { traceId: string };

/** Reads what facts are computed from, in one round trip. */
async function readDecidedTraces(
  trx: Database,
  userId: string,
  ids: string[],
): Promise<(DecidedTrace & { id: string; metadata: unknown })[]> {
  const ofTraces = sql`user_id = ${userId} and trace_id = any(${textList(ids)})`;
  const [traces, spans, decisionPoints, events] = await Promise.all([
    sql<Omit<DecidedTrace & { id: string; metadata: unknown }, "spans" | "decisionPoints" | "events">>`
      select id, name, tags, status, ${ms("started_at")}, ${ms("ended_at")}, total_duration,
        case when octet_length(metadata::text) <= ${MAX_METADATA_BYTES}
          then convert_to(metadata::text, 'UTF8') end as metadata
      from traces
      where user_id = ${userId} and id = any(${textList(ids)})`.execute(trx),
    sql<InTrace<DecidedSpan>>`
      select trace_id, id, parent_span_id, type, name, status, status_message, cost_usd, duration_ms, ${ms("started_at")},
        ${ms("ended_at")}
      from spans where ${ofTraces} order by trace_id, position`.execute(trx),
    sql<InTrace<DecidedPoint>>`
      select trace_id, type, ${jsonBytes("chosen")}, ${jsonBytes("alternatives")}, cost_usd, parent_span_id, position,
        ${ms("timestamp")}
      from decision_points where ${ofTraces} order by trace_id, position`.execute(trx),
    sql<InTrace<DecidedTrace["events"][number]>>`
      select trace_id, type, name, span_id, ${ms("timestamp")} from events
      where ${ofTraces} and type = 'ERROR' order by trace_id, position`.execute(trx),
  ]);
  const byTrace = <Row extends { traceId: string }>(rows: Row[]) =>
    Map.groupBy(rows, ({ traceId }) => traceId);
  const spansOf = byTrace(spans.rows);
  const decisionPointsOf = byTrace(decisionPoints.rows);
  const eventsOf = byTrace(events.rows);
  return traces.rows.map((trace) => ({
    ...trace,
    spans: spansOf.get(trace.id) ?? [],
    decisionPoints: decisionPointsOf.get(trace.id) ?? [],
    events: eventsOf.get(trace.id) ?? [],
  }));
}

/** An instant in milliseconds since 1970. */
const ms = (column: string): RawBuilder<unknown> =>
  sql.raw(`floor(extract(epoch from ${column}) * 1000)::bigint as ${column}`);

/** The JSON as it was sent. */
const jsonBytes = (column: string): RawBuilder<unknown> =>
  sql.raw(`convert_to(left(${column}::text, ${MAX_OPTION_LENGTH}), 'UTF8') as ${column}`);
