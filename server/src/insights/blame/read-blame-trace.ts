import type { DecisionPointType, Status } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { BlameDecision, BlameSpan, ErrorEvent, TraceRecords } from "./trace-errors.ts";

/** A trace that says more errors than these is not read further. */
const MAX_EVENTS = 1_000;
const MAX_MESSAGE_LENGTH = 2_000;

export interface StoredDecision extends BlameDecision {
  type: DecisionPointType;
  position: number;
}

export interface BlameTrace extends TraceRecords {
  status: Status;
  agentHash: number | null;
  facts: Buffer | null;
  decisions: StoredDecision[];
}

/** Reads what the errors of a trace and the decisions before them are found by; undefined if the user has no such trace. */
export async function readBlameTrace(
  db: Database,
  userId: string,
  traceId: string,
): Promise<BlameTrace | undefined> {
  const { rows: traces } = await sql<Omit<BlameTrace, "decisions" | "spans" | "events">>`
    select name, status, ${milliseconds("started_at")} as started_at, ${milliseconds("ended_at")} as ended_at,
      agent_hash, decision_facts as facts
    from traces where user_id = ${userId} and id = ${traceId}`.execute(db);
  const [trace] = traces;
  if (!trace) return undefined;
  const { rows: decisions } = await sql<StoredDecision>`
    select id, type, position, parent_span_id, ${milliseconds("timestamp")} as timestamp
    from decision_points where user_id = ${userId} and trace_id = ${traceId} order by position`.execute(db);
  const { rows: events } = await sql<ErrorEvent>`
    select span_id, name, ${milliseconds("timestamp")} as timestamp
    from events where user_id = ${userId} and trace_id = ${traceId} and type = 'ERROR'
    order by timestamp desc limit ${MAX_EVENTS}`.execute(db);
  return {
    ...trace,
    decisions,
    events: events.reverse(),
    spans: await readSpans(db, userId, traceId),
  };
}

/** Failed spans, those in which something was decided, and those that contain them. A trace may have 100,000 others. */
async function readSpans(db: Database, userId: string, traceId: string): Promise<BlameSpan[]> {
  const { rows } = await sql<BlameSpan>`
    with recursive reached as (
      select id, parent_span_id from spans
      where user_id = ${userId} and trace_id = ${traceId}
        and (status = 'ERROR' or id in (
          select parent_span_id from decision_points
          where user_id = ${userId} and trace_id = ${traceId} and parent_span_id is not null))
      union
      select spans.id, spans.parent_span_id from reached
        join spans on spans.user_id = ${userId} and spans.trace_id = ${traceId} and spans.id = reached.parent_span_id
    )
    select spans.id, spans.parent_span_id, name, status,
      case when status = 'ERROR' then left(status_message, ${MAX_MESSAGE_LENGTH}) end as status_message,
      ${milliseconds("started_at")} as started_at, ${milliseconds("ended_at")} as ended_at
    from reached join spans on spans.user_id = ${userId} and spans.trace_id = ${traceId} and spans.id = reached.id
    order by position`.execute(db);
  return rows;
}

/** Milliseconds since 1970, as a number that the driver does not turn into a string. */
const milliseconds = (column: string) =>
  sql`(extract(epoch from ${sql.ref(column)}) * 1000)::double precision`;
