import { sql } from "kysely";
import type { Database } from "../../db/database.ts";

export interface AncestorSpan {
  id: string;
  parentSpanId: string | null;
  name: string;
  startedAt: number;
  endedAt: number | null;
  durationMs: number | null;
}

const MAX_SPANS = 20_000;

/** Reads the spans that contain decisions of a trace. The order of decisions depends on no other span. */
export async function readAncestors(db: Database, userId: string, traceId: string): Promise<AncestorSpan[]> {
  // `union` reads each span once, so it ends even if spans are each other's parents.
  const { rows } = await sql<AncestorSpan & { position: number }>`
    with recursive ancestors (id) as (
      select parent_span_id from decision_points
      where user_id = ${userId} and trace_id = ${traceId} and parent_span_id is not null
      union
      select spans.parent_span_id
      from ancestors join spans on spans.user_id = ${userId} and spans.trace_id = ${traceId} and spans.id = ancestors.id
      where spans.parent_span_id is not null)
    select spans.id, spans.parent_span_id, spans.name, spans.position, spans.duration_ms,
      extract(epoch from spans.started_at)::float8 * 1000 as started_at,
      extract(epoch from spans.ended_at)::float8 * 1000 as ended_at
    from (select id from ancestors limit ${MAX_SPANS}) as ancestors
      join spans on spans.user_id = ${userId} and spans.trace_id = ${traceId} and spans.id = ancestors.id
    order by spans.position`.execute(db);
  return rows;
}
