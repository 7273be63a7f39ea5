import { decodeDecisionFacts } from "@whytrace/contract";
import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import { type EncodedDay, encodeDay } from "./encode-day.ts";
import { Tally } from "./tally.ts";

/** So many traces are read at a time. */
const CHUNK_TRACES = 2_000;

interface TraceFacts {
  id: string;
  startedAt: string;
  agentHash: number;
  totalCost: number | null;
  decisionFacts: Buffer;
}

export interface AddedUpDay {
  figures: EncodedDay;
  traceCount: number;
}

/** Adds up the facts of the traces that started on a day (UTC), newest first. */
export async function addUpDay(db: Database, userId: string, day: string): Promise<AddedUpDay> {
  const tally = new Tally();
  let traceCount = 0;
  for (let last: TraceFacts | undefined; ; ) {
    const rows = await readChunk(db, userId, day, last);
    await runInTimeSlices(addRows(tally, rows));
    traceCount += rows.length;
    last = rows.at(-1);
    if (rows.length < CHUNK_TRACES) return { figures: encodeDay(tally), traceCount };
  }
}

async function readChunk(
  db: Database,
  userId: string,
  day: string,
  last: TraceFacts | undefined,
): Promise<TraceFacts[]> {
  const before = last ? sql`and (started_at, id) < (${last.startedAt}::timestamptz, ${last.id})` : sql``;
  const { rows } = await sql<TraceFacts>`
    select id, started_at::text as "startedAt", agent_hash as "agentHash", total_cost as "totalCost",
      decision_facts as "decisionFacts"
    from traces
    where user_id = ${userId} and decision_facts is not null
      and started_at >= ${day}::date::timestamp at time zone 'utc'
      and started_at < (${day}::date + 1)::timestamp at time zone 'utc' ${before}
    order by started_at desc, id desc limit ${CHUNK_TRACES}`.execute(db.withoutPlugins());
  return rows;
}

function* addRows(tally: Tally, rows: TraceFacts[]): Generator<undefined, void> {
  for (const { id, agentHash, totalCost, decisionFacts } of rows) {
    const facts = decodeDecisionFacts(decisionFacts);
    if (facts) tally.addRun({ traceId: id, agent: agentHash, costUsd: totalCost, facts });
    yield;
  }
}
