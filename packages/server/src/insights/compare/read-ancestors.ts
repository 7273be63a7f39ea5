import type { SpanType } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

export interface AncestorSpan {
  id: string;
  parentSpanId: string | null;
  name: string;
  type: SpanType;
  startedAt: number;
  endedAt: number | null;
  durationMs: number | null;
}

const MAX_SPANS = 20_000;

/** Reads the spans that contain decisions of a trace. The order of decisions depends on no other span. */
export async function readAncestors(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<AncestorSpan[]> {
  // `union` reads each span once, so it ends even if spans are each other's parents. The limit of one row makes PostgreSQL look
  // each parent up by its key: a join would read all spans once for each level.
  const { rows } = await sql<AncestorSpan & { position: number }>`
    with recursive ancestors (id) as (
      select parent_span_id from decision_points
      where workspace_id = ${workspaceId} and trace_id = ${traceId} and parent_span_id is not null
      union
      select parent.parent_span_id from ancestors, lateral (
        select parent_span_id from spans
        where workspace_id = ${workspaceId} and trace_id = ${traceId} and spans.id = ancestors.id limit 1
      ) as parent
      where parent.parent_span_id is not null)
    select spans.id, spans.parent_span_id, spans.name, spans.type, spans.position, spans.duration_ms,
      extract(epoch from spans.started_at)::float8 * 1000 as started_at,
      extract(epoch from spans.ended_at)::float8 * 1000 as ended_at
    from (select id from ancestors limit ${MAX_SPANS}) as ancestors
      join spans on spans.workspace_id = ${workspaceId} and spans.trace_id = ${traceId} and spans.id = ancestors.id
    order by spans.position`.execute(db);
  return rows;
}
