import { FACTS_VERSION } from "@whytrace/contract";
import { sql } from "kysely";
import type pg from "pg";
import { BEFORE_ALL_USERS } from "../db/before-all-users.ts";
import type { Database } from "../db/database.ts";
import { runLeased } from "../db/run-leased.ts";
import { textList } from "../db/text-list.ts";
import { clientTransaction } from "../db/transaction.ts";
import { dayOf, touchDays } from "./decision-days.ts";
import { refreshFacts } from "./refresh-facts.ts";
import { addTotals, noTotals } from "./totals.ts";

const MAX_TRACES = 50;
/** Rows that one transaction reads, if a single trace has not more. */
const MAX_ROWS = 2_000;
/** The pause after each transaction, relative to its time, so that ingest stays fast. */
const PAUSE_RATIO = 3;
/** After so many transactions for a user, other users have their turn. */
const CHUNKS_PER_TURN = 20;
const MAX_COUNT = 100_000;

const HAS_NO_FACTS = `decision_point_count > 0 and (decision_facts is null or get_byte(decision_facts, 0) < ${FACTS_VERSION})`;
/** Whether insights do not count the trace yet, as in the index traces_without_facts. */
const hasNoFacts = sql.raw(HAS_NO_FACTS);
/** Whether something has to be filled in, as in the index traces_to_fill. */
const isToFill = sql.raw(`(error_count is null or (${HAS_NO_FACTS}))`);

export interface FactsBackfillOptions {
  db: Database;
  /** The transactions run on these connections. */
  pool: pg.Pool;
  log: { warn(fields: object, message: string): void };
  stopping: AbortSignal;
  onFilled: (traceCount: number) => void;
}

/**
 * Computes the facts of traces that an older version stored, until none is left: the newest traces first, and users in turn.
 * One process at a time does it.
 */
export async function backfillFacts(options: FactsBackfillOptions): Promise<void> {
  const { db, stopping, onFilled } = options;
  if ((await nextUser(db, BEFORE_ALL_USERS)) === undefined) return;
  await runLeased(
    { db, job: "backfill facts", pauseRatio: PAUSE_RATIO, stopping },
    () => fillAll(options),
    onFilled,
  );
}

/** The last trace that was taken: those that failed are not taken twice. */
interface Cursor {
  id: string;
  /** PostgreSQL's text of started_at. */
  startedAt: string;
}

/** Yields after each transaction the number of its traces. */
async function* fillAll(options: FactsBackfillOptions): AsyncGenerator<number> {
  const cursors = new Map<string, Cursor>();
  for (let isLeft = true; isLeft; ) {
    isLeft = false;
    let userId = await nextUser(options.db, BEFORE_ALL_USERS);
    while (userId !== undefined) {
      for (let chunk = 0; chunk < CHUNKS_PER_TURN; chunk++) {
        const filled = await fillChunk(options, userId, cursors);
        if (filled === undefined) break;
        isLeft = true;
        yield filled;
      }
      userId = await nextUser(options.db, userId);
    }
  }
}

/** Returns undefined if nothing is left of this user. */
async function fillChunk(
  { db, pool, log }: FactsBackfillOptions,
  userId: string,
  cursors: Map<string, Cursor>,
): Promise<number | undefined> {
  const candidates = await nextTraces(db, userId, cursors.get(userId));
  const last = candidates.at(-1);
  if (!last) return undefined;
  cursors.set(userId, last);
  const fill = (ids: string[]) => clientTransaction(pool, (_client, trx) => fillTraces(trx, userId, ids));
  try {
    return await fill(candidates.map(({ id }) => id));
  } catch {
    let filled = 0;
    for (const { id } of candidates)
      try {
        filled += await fill([id]);
      } catch (err) {
        // A trace that fails does not keep the others waiting.
        log.warn({ err, traceId: id }, "facts of a trace not computed; will retry");
      }
    return filled;
  }
}

/** Returns the number of traces. Leaves out those that another transaction writes: it computes their facts, too. */
async function fillTraces(trx: Database, userId: string, ids: string[]): Promise<number> {
  // If the database crashes, what was not flushed is computed again, so the commit need not wait for the disk.
  await sql`select set_config('synchronous_commit', 'off', true)`.execute(trx);
  const { rows } = await sql<{ id: string; startedAt: string; isUncounted: boolean }>`
    select id, started_at, (${hasNoFacts}) as is_uncounted from traces
    where user_id = ${userId} and id = any(${textList(ids)}) and ${isToFill}
    for update skip locked`.execute(trx);
  if (rows.length === 0) return 0;
  await refreshFacts(
    trx,
    userId,
    rows.map(({ id }) => id),
  );
  await addTotals(trx, [{ userId, change: noTotals() }]);
  const uncounted = rows.filter(({ isUncounted }) => isUncounted);
  await touchDays(trx, [{ userId, days: new Set(uncounted.map(({ startedAt }) => dayOf(startedAt))) }]);
  return rows.length;
}

async function nextUser(db: Database, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    select user_id from traces where ${isToFill} and user_id > ${after} order by user_id limit 1`.execute(db);
  return rows[0]?.userId;
}

async function nextTraces(db: Database, userId: string, cursor: Cursor | undefined): Promise<Cursor[]> {
  const { startedAt, id } = cursor ?? { startedAt: "infinity", id: "" };
  const { rows } = await sql<Cursor & { rowCount: number }>`
    select id, started_at::text as started_at, span_count + decision_point_count + event_count as row_count from traces
    where ${isToFill} and user_id = ${userId} and (started_at, id) < (${startedAt}::timestamptz, ${id})
    order by started_at desc, id desc limit ${MAX_TRACES}`.execute(db);
  let rowCount = 0;
  return rows.filter((trace, index) => {
    rowCount += trace.rowCount;
    return index === 0 || rowCount <= MAX_ROWS;
  });
}

/** How many traces have no facts yet; at most 100,000 are counted. */
export async function countWithoutFacts(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 from traces where ${hasNoFacts} limit ${MAX_COUNT}) as found`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** How many traces of a user that started in a range of days (UTC) have no facts yet; at most `max` are counted. */
export async function countWithoutFactsIn(
  db: Database,
  userId: string,
  { from, to }: { from: string; to: string },
  max: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from traces
      where user_id = ${userId} and ${hasNoFacts}
        and started_at >= ${from}::date::timestamp at time zone 'utc'
        and started_at < ${to}::date::timestamp at time zone 'utc'
      limit ${max}) as found`.execute(db);
  return rows[0]?.count ?? 0;
}
