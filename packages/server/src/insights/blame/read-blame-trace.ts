import type { DecisionPointType } from "@whytrace/contract";
import { sql } from "kysely";
import { readJsonRows } from "../../db/copy/read-json-rows.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type {
  BlameDecision,
  BlameSpan,
  ErrorEvent,
  TraceRecords,
} from "../../decision-facts/trace-errors.ts";
import { type BlamedRow, milliseconds, readBlamedRow } from "./read-blamed-row.ts";

/** A trace that says more errors than these is not read further. */
const MAX_EVENTS = 1_000;

interface StoredDecision extends BlameDecision<number> {
  type: DecisionPointType;
  position: number;
}

/** Spans and events are known by their positions: a trace has up to 100,000 ids of a kilobyte each. */
export interface BlameTrace extends TraceRecords<number>, BlamedRow {
  status: BlamedRow["status"];
  decisions: StoredDecision[];
}

/** Reads what the errors of a trace and the decisions before them are found by; undefined if the workspace has no such trace. */
export async function readBlameTrace(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<BlameTrace | undefined> {
  const trace = await readBlamedRow(db, workspaceId, traceId);
  if (!trace) return undefined;
  return {
    ...trace,
    decisions: await readDecisions(db, workspaceId, traceId),
    events: await readEvents(db, workspaceId, traceId),
    spans: await readSpans(db, workspaceId, traceId),
  };
}

const readDecisions = (db: Database, workspaceId: WorkspaceId, traceId: string) =>
  readJsonRows<StoredDecision>(
    db,
    sql`
      select position, type, ${positionOf(workspaceId, traceId, "decision.parent_span_id")} as "parentSpanId",
        ${milliseconds("timestamp")} as timestamp
      from decision_points as decision where workspace_id = ${workspaceId} and trace_id = ${traceId} order by position`,
  );

const readEvents = (db: Database, workspaceId: WorkspaceId, traceId: string) =>
  readJsonRows<ErrorEvent<number>>(
    db,
    sql`
      select position as id, ${positionOf(workspaceId, traceId, "event.span_id")} as "spanId",
        ${milliseconds("timestamp")} as timestamp
      from (
        select position, span_id, timestamp from events
        where workspace_id = ${workspaceId} and trace_id = ${traceId} and type = 'ERROR'
        order by timestamp desc limit ${MAX_EVENTS}
      ) as event
      order by event.timestamp`,
  );

/** Failed spans, those in which something was decided, and those that contain them. A trace may have 100,000 others. */
function readSpans(db: Database, workspaceId: WorkspaceId, traceId: string) {
  const columns = sql`id, parent_span_id, position, status, started_at, ended_at`;
  return readJsonRows<BlameSpan<number>>(
    db,
    sql`
      with recursive reached as (
        select ${columns} from spans
        where workspace_id = ${workspaceId} and trace_id = ${traceId}
          and (status = 'ERROR' or id in (
            select parent_span_id from decision_points
            where workspace_id = ${workspaceId} and trace_id = ${traceId} and parent_span_id is not null))
        union
        select parent.* from reached, lateral (
          select ${columns} from spans
          where workspace_id = ${workspaceId} and trace_id = ${traceId} and id = reached.parent_span_id limit 1) as parent
      )
      select position as id, ${positionOf(workspaceId, traceId, "reached.parent_span_id")} as "parentSpanId",
        status = 'ERROR' as "isFailed", ${milliseconds("started_at")} as "startedAt",
        ${milliseconds("ended_at")} as "endedAt"
      from reached order by position`,
  );
}

/** A subquery is a probe of the index for each row. Of a large new trace, the planner takes a join for one of few rows. */
const positionOf = (workspaceId: WorkspaceId, traceId: string, id: string) => sql`(
  select position from spans where workspace_id = ${workspaceId} and trace_id = ${traceId} and spans.id = ${sql.ref(id)})`;
