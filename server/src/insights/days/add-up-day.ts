import { decodeDecisionFacts, hash53 } from "@whytrace/contract";
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

/** The traces that started in a part of a day. */
export interface AddedUpTraces {
  tally: Tally;
  traceCount: number;
}

/** Returns what `compute` returned before for the same day and version, or calls it. */
export type SettledCache = (
  version: number,
  day: string,
  compute: () => Promise<AddedUpTraces>,
) => Promise<AddedUpTraces>;

interface Period {
  startMs: number;
  /** Exclusive. */
  endMs: number;
}

const HOUR_MS = 3_600_000;
/** Most runs end within this time, and their traces do not change afterwards. */
const SETTLED_AFTER_MS = HOUR_MS;

/**
 * Adds up the facts of the traces that started on a day (UTC). With a cache, those that started more than an hour or two ago are added
 * up again only if one of them changed.
 */
export async function addUpDay(
  db: Database,
  userId: string,
  day: string,
  settledCache?: SettledCache,
): Promise<AddedUpDay> {
  const startMs = Date.parse(`${day}T00:00:00Z`);
  const endMs = startMs + 24 * HOUR_MS;
  // The end of a whole hour, so that an entry is valid for as long.
  const settledMs = Math.floor((Date.now() - SETTLED_AFTER_MS) / HOUR_MS) * HOUR_MS;
  const isPartlySettled = startMs < settledMs && settledMs < endMs;
  if (!settledCache || !isPartlySettled) return encode(await addUpTraces(db, userId, { startMs, endMs }));
  const settled = { startMs, endMs: settledMs };
  const version = await digestTraces(db, userId, settled);
  const base = await settledCache(version, day, () => addUpTraces(db, userId, settled));
  return encode(await addUpTraces(db, userId, { startMs: settledMs, endMs }, base));
}

const encode = ({ tally, traceCount }: AddedUpTraces): AddedUpDay => ({
  figures: encodeDay(tally),
  traceCount,
});

/** Changes if one of the traces changes, or if there are others. */
async function digestTraces(db: Database, userId: string, period: Period): Promise<number> {
  const { rows } = await sql<{ count: number; hash: string | null }>`
    select count(*) as count,
      bit_xor(hash_record_extended(row(id, agent_hash, total_cost, decision_facts), 0))::text as hash
    from traces where ${factsIn(userId, period)}`.execute(db.withoutPlugins());
  return hash53(`${period.endMs} ${rows[0]?.count} ${rows[0]?.hash}`);
}

/** Adds up the traces of a period, newest first, in addition to those of `base`. */
async function addUpTraces(
  db: Database,
  userId: string,
  period: Period,
  base?: AddedUpTraces,
): Promise<AddedUpTraces> {
  const tally = new Tally(base?.tally);
  let traceCount = base?.traceCount ?? 0;
  for (let last: TraceFacts | undefined; ; ) {
    const rows = await readChunk(db, userId, period, last);
    await runInTimeSlices(addRows(tally, rows));
    traceCount += rows.length;
    last = rows.at(-1);
    if (rows.length < CHUNK_TRACES) return { tally, traceCount };
  }
}

async function readChunk(
  db: Database,
  userId: string,
  period: Period,
  last: TraceFacts | undefined,
): Promise<TraceFacts[]> {
  const before = last ? sql`and (started_at, id) < (${last.startedAt}::timestamptz, ${last.id})` : sql``;
  const { rows } = await sql<TraceFacts>`
    select id, started_at::text as "startedAt", agent_hash as "agentHash", total_cost as "totalCost",
      decision_facts as "decisionFacts"
    from traces where ${factsIn(userId, period)} ${before}
    order by started_at desc, id desc limit ${CHUNK_TRACES}`.execute(db.withoutPlugins());
  return rows;
}

const factsIn = (userId: string, { startMs, endMs }: Period) => sql`
  user_id = ${userId} and decision_facts is not null
  and started_at >= ${new Date(startMs).toISOString()}::timestamptz
  and started_at < ${new Date(endMs).toISOString()}::timestamptz`;

function* addRows(tally: Tally, rows: TraceFacts[]): Generator<undefined, void> {
  for (const { id, agentHash, totalCost, decisionFacts } of rows) {
    const facts = decodeDecisionFacts(decisionFacts);
    if (facts) tally.addRun({ traceId: id, agent: agentHash, costUsd: totalCost, facts });
    yield;
  }
}
