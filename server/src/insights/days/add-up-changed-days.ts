import { sql } from "kysely";
import type pg from "pg";
import { type Database, databaseOn } from "../../db/database.ts";
import { runLeased } from "../../db/run-leased.ts";
import { readSnapshot } from "../../db/transaction.ts";
import { keepDecisionDay } from "../../trace-store/keep-decision-day.ts";
import { readTotals } from "../../trace-store/totals.ts";
import { addUpDay } from "./add-up-day.ts";

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
  let stored = 0;
  await runLeased(
    { db, job: "add up decision days", pauseRatio: PAUSE_RATIO, stopping },
    () => addUpAll(db, pool),
    (isStored) => {
      if (isStored) stored += 1;
    },
  );
  return stored;
}

async function* addUpAll(db: Database, pool: pg.Pool): AsyncGenerator<boolean> {
  for (const changed of await listChangedDays(db)) yield await addUp(pool, changed);
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
      const { figures } = await addUpDay(db, userId, day);
      return { day, version, ...figures };
    });
    return await keepDecisionDay(db, userId, added);
  } finally {
    client.release();
  }
}
