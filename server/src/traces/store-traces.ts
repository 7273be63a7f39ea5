import type { DecisionPointType, ParsedTrace, Status } from "@whytrace/contract";
import { sql } from "kysely";
import type pg from "pg";
import { countUsage } from "../billing/usage.ts";
import { copyRows } from "../db/copy-rows.ts";
import type { Database } from "../db/database.ts";
import { Conflict, clientTransaction } from "../db/transaction.ts";
import { encodeChildren, encodeTraces, payloadBytes } from "./encode-traces.ts";
import { addTotals, noTotals, type Totals } from "./totals.ts";
import { trackSessions } from "./track-sessions.ts";

/**
 * Stores a checked batch in one transaction and returns how many of its traces were stored or replaced.
 *
 * Locks are taken in one order by everybody, so that batches which cross wait for each other and never in a ring:
 *   1. the trace ids, sorted, in the registry of owners: new ones become the caller's, ones just being claimed by
 *      somebody else are waited for;
 *   2. the caller's existing traces, sorted, row by row; ids that are neither are somebody else's and skipped;
 *   3. the subscription, then totals and sessions, last and shortly.
 * Children of replaced traces are deleted, and everything is written in bulk by COPY.
 */
export async function storeTraces(
  { pool, publicUrl }: { pool: pg.Pool; publicUrl: string },
  userId: string,
  batch: ParsedTrace[],
  bodyBytes: number,
): Promise<number> {
  // The same id twice: in the order sent, the last one stands.
  const byId = new Map(batch.map((trace) => [trace.id, trace]));
  const ids = [...byId.keys()].sort();
  return clientTransaction(pool, async (client, trx) => {
    const created = new Set(await claimIds(trx, userId, ids));
    const replaced = await lockTraces(
      trx,
      userId,
      ids.filter((id) => !created.has(id)),
    );
    const stored = [...byId.values()].filter((trace) => created.has(trace.id) || replaced.has(trace.id));
    const change = noTotals();
    for (const trace of stored) addTrace(change, trace);

    const updates = stored.filter((trace) => replaced.has(trace.id));
    if (updates.length > 0) {
      for (const { status } of replaced.values()) change[status] -= 1;
      for (const type of await deleteChildren(trx, userId, updates)) change[type] -= 1;
      await updateTraces(trx, userId, updates);
    }
    const inserts = stored.filter((trace) => created.has(trace.id));
    await copyRows(client, [...encodeTraces(userId, inserts), ...encodeChildren(userId, stored, bodyBytes)]);
    await countUsage(trx, userId, inserts.length, publicUrl);
    await addTotals(trx, userId, change);
    const before = [...replaced.values()].map((trace) => trace.sessionId);
    await trackSessions(trx, userId, [...before, ...stored.map((trace) => trace.sessionId)]);
    return batch.filter((trace) => created.has(trace.id) || replaced.has(trace.id)).length;
  });
}

/** Registers the ids nobody has yet; returns those, now the user's. */
async function claimIds(trx: Database, userId: string, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ traceId: string }>`
    insert into trace_owners (trace_id, user_id)
    select trace_id, ${userId} from unnest(${ids}::text[]) as trace_id
    on conflict (trace_id) do nothing returning trace_id`.execute(trx);
  return rows.map((row) => row.traceId);
}

interface LockedTrace {
  id: string;
  status: Status;
  sessionId: string | null;
}

/** Locks those of the ids that are the user's traces; returns them with what is kept in counts about them now. */
async function lockTraces(trx: Database, userId: string, ids: string[]): Promise<Map<string, LockedTrace>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<LockedTrace>`
    select id, status, session_id from traces where user_id = ${userId} and id = any(${ids}::text[])
    order by id for update`.execute(trx);
  const found = new Map(rows.map((row) => [row.id, row]));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) await expectForeign(trx, userId, missing);
  return found;
}

/** An id that was taken a moment ago and is nobody else's has just been deleted: it is free, so begin again. */
async function expectForeign(trx: Database, userId: string, ids: string[]): Promise<void> {
  const { rows } = await sql<{ traceId: string }>`
    select trace_id from trace_owners where trace_id = any(${ids}::text[]) and user_id <> ${userId}`.execute(
    trx,
  );
  if (rows.length < ids.length) throw new Conflict("a trace of this batch was deleted meanwhile");
}

function addTrace(change: Totals, trace: ParsedTrace) {
  change[trace.status] += 1;
  for (const decision of trace.decisionPoints) change[decision.type] += 1;
}

/** Returns the types of the decision points that went, one by one. */
async function deleteChildren(
  trx: Database,
  userId: string,
  traces: ParsedTrace[],
): Promise<DecisionPointType[]> {
  const ids = traces.map((trace) => trace.id);
  await sql`delete from spans where user_id = ${userId} and trace_id = any(${ids}::text[])`.execute(trx);
  await sql`delete from events where user_id = ${userId} and trace_id = any(${ids}::text[])`.execute(trx);
  const { rows } = await sql<{ type: DecisionPointType }>`
    delete from decision_points where user_id = ${userId} and trace_id = any(${ids}::text[])
    returning type`.execute(trx);
  return rows.map((row) => row.type);
}

/** Everything but id and creation time becomes what was sent. */
async function updateTraces(trx: Database, userId: string, traces: ParsedTrace[]): Promise<void> {
  const column = <T>(read: (trace: ParsedTrace) => T) => traces.map(read);
  const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  await sql`
    update traces set
      name = sent.name, session_id = sent.session_id, status = sent.status, tags = sent.tags::text[],
      metadata = sent.metadata, total_cost = sent.total_cost, total_tokens = sent.total_tokens,
      total_duration = sent.total_duration, started_at = sent.started_at, ended_at = sent.ended_at,
      span_count = sent.span_count, decision_point_count = sent.decision_point_count, event_count = sent.event_count
    from unnest(
      ${column((trace) => trace.id)}::text[],
      ${column((trace) => trace.name)}::text[],
      ${column((trace) => trace.sessionId)}::text[],
      ${column((trace) => trace.status)}::text[],
      ${column((trace) => arrayLiteral(trace.tags))}::text[],
      ${column((trace) => jsonText(trace.metadata))}::json[],
      ${column((trace) => trace.totalCost)}::double precision[],
      ${column((trace) => trace.totalTokens)}::double precision[],
      ${column((trace) => trace.totalDuration)}::double precision[],
      ${column((trace) => instant(trace.startedAt))}::timestamptz[],
      ${column((trace) => instant(trace.endedAt))}::timestamptz[],
      ${column((trace) => trace.spans.length)}::integer[],
      ${column((trace) => trace.decisionPoints.length)}::integer[],
      ${column((trace) => trace.events.length)}::integer[]
    ) as sent (id, name, session_id, status, tags, metadata, total_cost, total_tokens, total_duration, started_at,
      ended_at, span_count, decision_point_count, event_count)
    where traces.user_id = ${userId} and traces.id = sent.id`.execute(trx);
}

const jsonText = (payload: unknown) => {
  const bytes = payloadBytes(payload);
  return bytes === null ? null : Buffer.from(bytes).toString();
};

/** Arrays of arrays must be rectangular in PostgreSQL, so each trace's tags travel as one text. */
const arrayLiteral = (values: string[]) =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
