import { sql } from "kysely";
import type pg from "pg";
import { type Database, databaseOn } from "../../db/database.ts";
import { runLeased } from "../../db/run-leased.ts";
import { readSnapshot } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { storeDecisionDay } from "../../trace-store/counts/store-decision-day.ts";
import { readTotals } from "../../trace-store/counts/totals.ts";
import { aggregateDay } from "./aggregate-day.ts";

/** Older days are aggregated when somebody looks at them. */
const MAX_AGE_DAYS = 30;
/** Days per run of the worker; the next run goes on. */
const MAX_DAYS_PER_RUN = 500;
/** The pause after each day, relative to its time, so that few requests meet one. */
const PAUSE_RATIO = 5;

interface AggregateOptions {
  db: Database;
  /** Days are read on these connections. */
  pool: pg.Pool;
  stopping: AbortSignal;
}

interface ChangedDay {
  workspaceId: WorkspaceId;
  day: string;
}

/**
 * Aggregates the days of all workspaces that are over and changed since they were aggregated, so that the first visit to insights
 * need not. One process at a time does it. Returns how many it stored.
 */
export async function aggregateChangedDays({ db, pool, stopping }: AggregateOptions): Promise<number> {
  let stored = 0;
  await runLeased(
    { db, job: "aggregate decision days", pauseRatio: PAUSE_RATIO, stopping },
    () => aggregateAll(db, pool),
    (isStored) => {
      if (isStored) stored += 1;
    },
  );
  return stored;
}

async function* aggregateAll(db: Database, pool: pg.Pool): AsyncGenerator<boolean> {
  for (const changed of await listChangedDays(db)) yield await aggregateAndStore(pool, changed);
}

/** Newest first. */
async function listChangedDays(db: Database): Promise<ChangedDay[]> {
  const today = sql`(now() at time zone 'utc')::date`;
  const { rows } = await sql<ChangedDay>`
    select workspace_id, day::text as day from decision_days
    where day >= ${today} - ${sql.lit(MAX_AGE_DAYS)} and day < ${today} and added < changed
    order by day desc, workspace_id limit ${MAX_DAYS_PER_RUN}`.execute(db);
  return rows;
}

async function aggregateAndStore(pool: pg.Pool, { workspaceId, day }: ChangedDay): Promise<boolean> {
  const client = await pool.connect();
  try {
    const db = databaseOn(client);
    const decisionDay = await readSnapshot(client, async () => {
      const { version } = await readTotals(db, workspaceId);
      const { figures } = await aggregateDay(db, workspaceId, day);
      return { day, version, ...figures };
    });
    return await storeDecisionDay(db, workspaceId, decisionDay);
  } finally {
    client.release();
  }
}
