import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type pg from "pg";
import { type Database, databaseOn } from "../../db/database.ts";
import { readSnapshot } from "../../db/transaction.ts";
import { WorkerLease } from "../../db/worker-lease.ts";
import { keepDecisionDay } from "../../trace-store/keep-decision-day.ts";
import { readTotals } from "../../trace-store/totals.ts";
import { addUpDay } from "./add-up-day.ts";
import { encodeDay } from "./encode-day.ts";

/** Older days are added up when somebody looks at them. */
const MAX_AGE_DAYS = 30;
/** A run of the worker ends after so many days; the next one goes on. */
const MAX_DAYS_PER_RUN = 500;
/** The pause after each day, relative to its time, so that few requests meet one. */
const PAUSE_RATIO = 5;

export interface AddUpOptions {
  db: Database;
  /** Days are read on these connections. */
  pool: pg.Pool;
  stopping: AbortSignal;
}

interface ChangedDay {
  userId: string;
  day: string;
}

/**
 * Adds up the days of all users that are over and changed since they were added up, so that the first visit to insights need
 * not. One process at a time does it. Returns how many it stored.
 */
export async function addUpChangedDays({ db, pool, stopping }: AddUpOptions): Promise<number> {
  const lease = await WorkerLease.take(db, "add up decision days");
  if (!lease) return 0;
  let stored = 0;
  try {
    for (const changed of await listChangedDays(db)) {
      const startedAt = performance.now();
      if (await addUp(pool, changed)) stored += 1;
      const pauseMs = (performance.now() - startedAt) * PAUSE_RATIO;
      await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {});
      if (stopping.aborted || !(await lease.renew())) break;
    }
  } finally {
    // If this fails, the lease expires.
    await lease.end().catch(() => {});
  }
  return stored;
}

/** Newest first. */
async function listChangedDays(db: Database): Promise<ChangedDay[]> {
  const today = sql`(now() at time zone 'utc')::date`;
  const { rows } = await sql<ChangedDay>`
    select user_id, day::text as day from decision_days
    where day >= ${today} - ${sql.lit(MAX_AGE_DAYS)} and day < ${today} and added < changed
    order by day desc, user_id limit ${MAX_DAYS_PER_RUN}`.execute(db);
  return rows;
}

async function addUp(pool: pg.Pool, { userId, day }: ChangedDay): Promise<boolean> {
  const client = await pool.connect();
  try {
    const db = databaseOn(client);
    const added = await readSnapshot(client, async () => {
      const { version } = await readTotals(db, userId);
      const { tally } = await addUpDay(db, userId, day);
      return { day, version, ...encodeDay(tally) };
    });
    return await keepDecisionDay(db, userId, added);
  } finally {
    client.release();
  }
}
