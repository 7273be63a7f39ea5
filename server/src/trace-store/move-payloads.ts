import { sql } from "kysely";
import type pg from "pg";
import { BEFORE_ALL_USERS } from "../db/before-all-users.ts";
import type { Database } from "../db/database.ts";
import { runLeased } from "../db/run-leased.ts";
import { clientTransaction } from "../db/transaction.ts";
import { MoveBudget } from "./move-budget.ts";
import { packTraces } from "./pack-traces.ts";
import { unpackTraces } from "./unpack-traces.ts";

const MAX_TRACES = 8;
/**
 * The pause after each transaction is so many times as long, so that few requests meet one. Packing is in no hurry, but
 * the operator waits until payloads are moved back.
 */
const PACKING_PAUSE_RATIO = 12;
const UNPACKING_PAUSE_RATIO = 3;
const MAX_COUNT = 100_000;

export interface PayloadMoveOptions {
  db: Database;
  /** The transactions that move payloads run on these connections. */
  pool: pg.Pool;
  /** Whether payloads are packed or moved back into rows. */
  packPayloads: boolean;
  log: { warn(fields: object, message: string): void };
  stopping: AbortSignal;
  onMoved: (traceCount: number) => void;
  /** How long the pause after a transaction is, relative to its time. */
  pauseRatio?: number;
}

/**
 * Moves payloads that are not stored as the configuration says, until none is left: into parts those that were stored by an
 * older version, or back into rows before a return to an older version. One process at a time does it.
 */
export async function movePayloads(options: PayloadMoveOptions): Promise<void> {
  const { db, packPayloads, stopping, onMoved } = options;
  if ((await nextUser(db, BEFORE_ALL_USERS, packPayloads)) === undefined) return;
  const { pauseRatio = packPayloads ? PACKING_PAUSE_RATIO : UNPACKING_PAUSE_RATIO } = options;
  await runLeased({ db, job: "move payloads", pauseRatio, stopping }, () => moves(options), onMoved);
}

/** Moves the payloads of some traces per step, user by user, and yields the number of these traces. */
async function* moves(options: PayloadMoveOptions): AsyncGenerator<number> {
  const { db, packPayloads } = options;
  for (let userId = BEFORE_ALL_USERS; ; ) {
    const nextUserId = await nextUser(db, userId, packPayloads);
    if (nextUserId === undefined) return;
    userId = nextUserId;
    yield* movesOf(options, userId);
  }
}

async function* movesOf(
  { db, pool, packPayloads, log }: PayloadMoveOptions,
  userId: string,
): AsyncGenerator<number> {
  const moveTraces = packPayloads ? packTraces : unpackTraces;
  let maxTraces = MAX_TRACES;
  for (let after: Candidate = { id: "", storedAt: "-infinity" }; ; ) {
    const candidates = await (packPayloads ? nextUnpacked : nextPacked)(db, userId, after, maxTraces);
    const last = candidates.at(-1);
    if (!last) return;
    const ids = candidates.map(({ id }) => id);
    try {
      const budget = new MoveBudget();
      const moved = await clientTransaction(pool, async (client, trx) => {
        // If the database crashes, what was not flushed is moved again, so the commit need not wait for the disk.
        await sql`select set_config('synchronous_commit', 'off', true)`.execute(trx);
        return moveTraces(client, trx, userId, ids, budget);
      });
      const lastMoved = budget.isSpent ? moved.at(-1) : undefined;
      after = candidates.find(({ id }) => id === lastMoved) ?? last;
      maxTraces = Math.min(maxTraces * 2, MAX_TRACES);
      yield moved.length;
    } catch (err) {
      // A trace that fails does not keep the others waiting.
      if (ids.length > 1) maxTraces = 1;
      else {
        log.warn({ err }, "payloads of a trace not moved; will retry");
        after = last;
      }
      yield 0;
    }
  }
}

const isUnpacked = sql`from traces where not is_packed`;
/** Parts are numbered from 0. */
const isFirstPart = sql`from trace_payloads where part = 0`;

async function nextUser(db: Database, after: string, packPayloads: boolean): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    select user_id ${packPayloads ? isUnpacked : isFirstPart} and user_id > ${after}
    order by user_id limit 1`.execute(db);
  return rows[0]?.userId;
}

/** The order in which traces are moved. */
interface Candidate {
  id: string;
  /** PostgreSQL's text of created_at, which has microseconds. */
  storedAt: string;
}

/** In the order in which traces were stored, a transaction changes few pages, so it writes little to the write-ahead log. */
async function nextUnpacked(db: Database, userId: string, after: Candidate, maxTraces: number) {
  const { rows } = await sql<Candidate>`
    select id, created_at::text as stored_at ${isUnpacked}
      and user_id = ${userId} and (created_at, id) > (${after.storedAt}::timestamptz, ${after.id})
    order by created_at, id limit ${maxTraces}`.execute(db);
  return rows;
}

/** Also finds parts whose trace does not exist. */
async function nextPacked(db: Database, userId: string, after: Candidate, maxTraces: number) {
  const { rows } = await sql<{ id: string }>`
    select trace_id as id ${isFirstPart} and user_id = ${userId} and trace_id > ${after.id}
    order by trace_id limit ${maxTraces}`.execute(db);
  return rows.map(({ id }) => ({ ...after, id }));
}

/** How many traces have payloads that are not stored as the configuration says; at most 100,000 are counted. */
export async function countPayloadMoves(db: Database, packPayloads: boolean): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 ${packPayloads ? isUnpacked : isFirstPart} limit ${MAX_COUNT}) as found`.execute(db);
  return rows[0]?.count ?? 0;
}
