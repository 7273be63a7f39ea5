import type { DecisionPointType, Status } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { readJsonRows } from "../../db/read-json-rows.ts";
import type { BlameDecision, BlameSpan, ErrorEvent, TraceRecords } from "./trace-errors.ts";

/** A trace that says more errors than these is not read further. */
const MAX_EVENTS = 1_000;

export interface StoredDecision extends BlameDecision<number> {
  type: DecisionPointType;
  position: number;
}

/** Spans and events are known by their positions: a trace has up to 100,000 ids of a kilobyte each. */
export interface BlameTrace extends TraceRecords<number> {
  name: string;
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
  return {
    ...trace,
    decisions: await readDecisions(db, userId, traceId),
    events: await readEvents(db, userId, traceId),
    spans: await readSpans(db, userId, traceId),
  };
}

const readDecisions = (db: Database, userId: string, traceId: string) =>
  readJsonRows<StoredDecision>(
    db,
    sql`
      select position, type, ${positionOf(userId, traceId, "decision.parent_span_id")} as "parentSpanId",
        ${milliseconds("timestamp")} as timestamp
      from decision_points as decision where user_id = ${userId} and trace_id = ${traceId} order by position`,
  );

const readEvents = (db: Database, userId: string, traceId: string) =>
  readJsonRows<ErrorEvent<number>>(
    db,
    sql`
      select position as id, ${positionOf(userId, traceId, "event.span_id")} as "spanId",
        ${milliseconds("timestamp")} as timestamp
      from (
        select position, span_id, timestamp from events
        where user_id = ${userId} and trace_id = ${traceId} and type = 'ERROR'
        order by timestamp desc limit ${MAX_EVENTS}
      ) as event
      order by event.timestamp`,
  );

/** Failed spans, those in which something was decided, and those that contain them. A trace may have 100,000 others. */
function readSpans(db: Database, userId: string, traceId: string) {
  const columns = sql`id, parent_span_id, position, status, started_at, ended_at`;
  return readJsonRows<BlameSpan<number>>(
    db,
    sql`
      with recursive reached as (
        select ${columns} from spans
        where user_id = ${userId} and trace_id = ${traceId}
          and (status = 'ERROR' or id in (
            select parent_span_id from decision_points
            where user_id = ${userId} and trace_id = ${traceId} and parent_span_id is not null))
        union
        select parent.* from reached, lateral (
          select ${columns} from spans
          where user_id = ${userId} and trace_id = ${traceId} and id = reached.parent_span_id limit 1) as parent
      )
      select position as id, ${positionOf(userId, traceId, "reached.parent_span_id")} as "parentSpanId",
        status = 'ERROR' as "isFailed", ${milliseconds("started_at")} as "startedAt",
        ${milliseconds("ended_at")} as "endedAt"
      from reached order by position`,
  );
}

/** A subquery is a probe of the index for each row. Of a large new trace, the planner takes a join for one of few rows. */
const positionOf = (userId: string, traceId: string, id: string) => sql`(
  select position from spans where user_id = ${userId} and trace_id = ${traceId} and spans.id = ${sql.ref(id)})`;

/** Milliseconds since 1970, as a number that the driver does not turn into a string. */
const milliseconds = (column: string) =>
  sql`(extract(epoch from ${sql.ref(column)}) * 1000)::double precision`;
