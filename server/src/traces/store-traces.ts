import { setImmediate as nextTurn } from "node:timers/promises";
import type { ParsedTrace, Status } from "@whytrace/contract";
import { sql } from "kysely";
import type pg from "pg";
import { countUsage } from "../billing/usage.ts";
import { copyRows } from "../db/copy-rows.ts";
import type { Database } from "../db/database.ts";
import { textList } from "../db/text-list.ts";
import { Conflict, clientTransaction } from "../db/transaction.ts";
import type { Live } from "../live/live.ts";
import { recordChanges } from "../live/record-changes.ts";
import { deleteChildren } from "./delete-children.ts";
import { encodeChildren, encodeTraces, payloadBytes } from "./encode-traces.ts";
import { addTotals, noTotals, type Totals } from "./totals.ts";
import { trackSessions } from "./track-sessions.ts";

const UPDATED_AT_ONCE = 2_000;

/**
 * Stores a checked batch in one transaction and returns how many of its traces were stored or replaced.
 *
 * Locks are taken in one order by everybody, so that batches which cross wait for each other and never in a ring:
 *   1. the trace ids, sorted, in the registry of owners: new ones become the caller's, ones just being claimed by
 *      somebody else are waited for;
 *   2. the caller's existing traces, sorted, row by row; ids that are neither are somebody else's and skipped;
 *   3. the subscription, then totals, sessions and the record of changes, last and shortly.
 * Children of replaced traces are deleted, and everything is written in bulk by COPY. A batch of tens of thousands of
 * traces lets others have their turn between the steps.
 */
export async function storeTraces(
  { pool, publicUrl, live }: { pool: pg.Pool; publicUrl: string; live: Live },
  userId: string,
  batch: ParsedTrace[],
  bodyBytes: number,
): Promise<number> {
  // The same id twice: in the order sent, the last one stands.
  const byId = new Map(batch.map((trace) => [trace.id, trace]));
  const ids = [...byId.keys()].sort();
  await nextTurn();
  const count = await clientTransaction(pool, async (client, trx) => {
    const created = new Set(await claimIds(trx, userId, ids));
    const taken = ids.filter((id) => !created.has(id));
    const replaced = await lockTraces(trx, userId, taken);
    for (const id of await reclaimIds(
      trx,
      userId,
      taken.filter((one) => !replaced.has(one)),
    ))
      created.add(id);
    await nextTurn();
    const stored = [...byId.values()].filter((trace) => created.has(trace.id) || replaced.has(trace.id));
    const change = noTotals();
    for (const trace of stored) addTrace(change, trace);

    const updates = stored.filter((trace) => replaced.has(trace.id));
    if (updates.length > 0) {
      for (const { status } of replaced.values()) change[status] -= 1;
      for (const type of await deleteChildren(
        trx,
        userId,
        updates.map((trace) => trace.id),
      ))
        change[type] -= 1;
      for (let from = 0; from < updates.length; from += UPDATED_AT_ONCE)
        await updateTraces(trx, userId, updates.slice(from, from + UPDATED_AT_ONCE));
    }
    const inserts = stored.filter((trace) => created.has(trace.id));
    const rows = encodeTraces(userId, inserts);
    await nextTurn();
    await copyRows(client, [...rows, ...encodeChildren(userId, stored, bodyBytes)]);
    await countUsage(trx, userId, inserts.length, publicUrl);
    await addTotals(trx, userId, change);
    const before = [...replaced.values()].map((trace) => trace.sessionId);
    await trackSessions(trx, userId, [...before, ...stored.map((trace) => trace.sessionId)]);
    await recordChanges(
      trx,
      userId,
      stored.map(({ id, status }) => ({ id, change: created.has(id) ? "new" : "replaced", status })),
    );
    return batch.filter((trace) => created.has(trace.id) || replaced.has(trace.id)).length;
  });
  live.changed(userId);
  return count;
}

/** Registers the ids nobody has yet; returns those, now the user's. */
async function claimIds(trx: Database, userId: string, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ traceId: string }>`
    insert into trace_owners (trace_id, user_id)
    select trace_id, ${userId} from unnest(${textList(ids)}) as trace_id
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
    select id, status, session_id from traces where user_id = ${userId} and id = any(${textList(ids)})
    order by id for update`.execute(trx);
  const found = new Map(rows.map((row) => [row.id, row]));
  return found;
}

/**
 * Ids that were taken a moment ago and are the user's, but have no trace: it has just been deleted. Then the id is free
 * again, so begin again. Should the registry itself have kept it (which only a fault outside can bring about), the id
 * is the user's to fill.
 */
async function reclaimIds(trx: Database, userId: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows: foreign } = await sql<{ count: number }>`
    select count(*) as count from trace_owners
    where trace_id = any(${textList(ids)}) and user_id <> ${userId}`.execute(trx);
  if (foreign[0]?.count === ids.length) return [];
  const { rows: own } = await sql<{ traceId: string }>`
    update trace_owners set user_id = user_id
    where trace_id = any(${textList(ids)}) and user_id = ${userId} returning trace_id`.execute(trx);
  if (own.length + (foreign[0]?.count ?? 0) < ids.length)
    throw new Conflict("a trace of this batch was deleted meanwhile");
  return own.map((row) => row.traceId);
}

function addTrace(change: Totals, trace: ParsedTrace) {
  change[trace.status] += 1;
  for (const decision of trace.decisionPoints) change[decision.type] += 1;
}

/** Everything but id and creation time becomes what was sent. Texts go as JSON, payloads as the bytes they are. */
async function updateTraces(trx: Database, userId: string, traces: ParsedTrace[]): Promise<void> {
  const payloads = traces.map((trace) => payloadBytes(trace.metadata));
  let end = 0;
  const sent = traces.map(({ metadata: _, spans, decisionPoints, events, ...fields }, index) => {
    const length = payloads[index]?.length;
    end += length ?? 0;
    return {
      ...fields,
      startedAt: new Date(fields.startedAt),
      endedAt: fields.endedAt === null ? null : new Date(fields.endedAt),
      metadataStart: length === undefined ? null : end - length + 1,
      metadataLength: length,
      spanCount: spans.length,
      decisionPointCount: decisionPoints.length,
      eventCount: events.length,
    };
  });
  const metadata = Buffer.concat(payloads.filter((payload) => payload !== null));
  await sql`
    update traces set
      name = sent.name, session_id = sent."sessionId", status = sent.status,
      tags = array(select json_array_elements_text(sent.tags)),
      metadata = convert_from(substr(${metadata}::bytea, sent."metadataStart", sent."metadataLength"), 'UTF8')::json,
      total_cost = sent."totalCost", total_tokens = sent."totalTokens", total_duration = sent."totalDuration",
      started_at = sent."startedAt", ended_at = sent."endedAt", span_count = sent."spanCount",
      decision_point_count = sent."decisionPointCount", event_count = sent."eventCount"
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent (
      id text, name text, "sessionId" text, status text, tags json, "totalCost" double precision,
      "totalTokens" double precision, "totalDuration" double precision, "startedAt" timestamptz, "endedAt" timestamptz,
      "metadataStart" integer, "metadataLength" integer, "spanCount" integer, "decisionPointCount" integer,
      "eventCount" integer)
    where traces.user_id = ${userId} and traces.id = sent.id`.execute(trx);
}
