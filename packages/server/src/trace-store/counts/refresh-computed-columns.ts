import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { DecidedPoint, DecidedSpan, DecidedTrace } from "../../decision-facts/decided-trace.ts";
import { readDefinitions } from "../../outcomes/read-definitions.ts";
import { refreshOutcomes } from "../outcomes/refresh-outcomes.ts";
import type { RunChange } from "../problems/run-problems.ts";
import {
  type ComputedTrace,
  computeColumns,
  SENT_ASSIGNMENTS,
  SENT_COLUMN_TYPES,
  SENT_COMPUTED_COLUMNS,
  sentComputedColumns,
} from "../rows/computed-columns.ts";
import { MAX_METADATA_BYTES } from "../rows/metadata-pairs.ts";
import { INFERENCE } from "../rows/record-columns.ts";

/** Longer values are not read to sign a decision. This is one character more than the limit of signDecision. */
const MAX_OPTION_LENGTH = 32 * 1024 + 1;

/**
 * Computes the columns of stored traces from their rows, and stores them. The caller has locked the traces, and writes their problems.
 */
export async function refreshComputedColumns(
  trx: Database,
  workspaceId: WorkspaceId,
  ids: string[],
): Promise<RunChange[]> {
  if (ids.length === 0) return [];
  const traces = await readDecidedTraces(trx, workspaceId, ids);
  const before = new Map(traces.map(({ id, keys }) => [id, (keys ?? []).map(Number)]));
  const refreshed = traces.map((trace) => ({
    id: trace.id,
    ...sentComputedColumns(computeColumns(trace)),
  }));
  await sql`
    update traces set ${sql.raw(SENT_ASSIGNMENTS)}
    from (
      select id, ${sql.raw(SENT_COMPUTED_COLUMNS)}
      from json_to_recordset(${JSON.stringify(refreshed)}::json) as sent (id text, ${sql.raw(SENT_COLUMN_TYPES)})
    ) as sent
    where traces.workspace_id = ${workspaceId} and traces.id = sent.id`.execute(trx);
  const definitions = await readDefinitions(trx, workspaceId);
  return (await refreshOutcomes(trx, workspaceId, ids, definitions, before)).runs;
}

type InTrace<Row> = Row & { traceId: string };

/** With the keys of the problems that the run has. */
type StoredTrace = ComputedTrace & { id: string; keys: string[] | null };

/** Reads what the columns are computed from, in one round trip. */
async function readDecidedTraces(
  trx: Database,
  workspaceId: WorkspaceId,
  ids: string[],
): Promise<StoredTrace[]> {
  const ofTraces = sql`workspace_id = ${workspaceId} and trace_id = any(${textList(ids)})`;
  const [traces, spans, decisionPoints, events] = await Promise.all([
    sql<Omit<StoredTrace, "spans" | "decisionPoints" | "events">>`
      select id, problems::text[] as keys, name, session_id, service_version, metadata_pairs, tags, status, ${ms("started_at")}, ${ms("ended_at")}, total_duration,
        case when octet_length(metadata::text) <= ${MAX_METADATA_BYTES}
          then convert_to(metadata::text, 'UTF8') end as metadata
      from traces
      where workspace_id = ${workspaceId} and id = any(${textList(ids)})`.execute(trx),
    sql<InTrace<DecidedSpan>>`
      select trace_id, id, parent_span_id, type, name, status, status_message, cost_usd, duration_ms, ${ms("started_at")},
        ${ms("ended_at")}
      from spans where ${ofTraces} order by trace_id, position`.execute(trx),
    sql<InTrace<DecidedPoint>>`
      select trace_id, type, ${jsonBytes("chosen")}, ${jsonBytes("alternatives")}, cost_usd, parent_span_id, position, probability,
        ${INFERENCE}, ${ms("timestamp")}
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
