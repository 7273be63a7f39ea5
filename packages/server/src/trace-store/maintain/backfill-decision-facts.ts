import { sql } from "kysely";
import type pg from "pg";
import { BEFORE_ALL_WORKSPACES } from "../../db/before-all-workspaces.ts";
import type { Database } from "../../db/database.ts";
import { runLeased } from "../../db/run-leased.ts";
import { textList } from "../../db/statements/text-list.ts";
import { clientTransaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { FACTS_VERSION } from "../../decision-facts/decision-facts.ts";
import { dayOf, touchDays } from "../counts/decision-days.ts";
import { refreshComputedColumns } from "../counts/refresh-computed-columns.ts";
import { addTotals, noTotals } from "../counts/totals.ts";
import { writeProblems } from "../problems/write-problems.ts";

const MAX_TRACES = 50;
/** Rows that one transaction reads, if a single trace has not more. */
const MAX_ROWS = 2_000;
/** The pause after each transaction, relative to its time, so that ingest stays fast. */
const PAUSE_RATIO = 3;
/** Transactions for a workspace before the next workspace follows. */
const CHUNKS_PER_ROUND = 20;
const MAX_COUNT = 100_000;

/** Whether insights do not count the trace yet, as in the index traces_without_facts_3. */
const hasNoDecisionFacts = sql.raw(
  `decision_point_count > 0 and (decision_facts is null or get_byte(decision_facts, 0) < ${FACTS_VERSION})`,
);

interface BackfillOptions {
  db: Database;
  /** The transactions run on these connections. */
  pool: pg.Pool;
  log: { warn(fields: object, message: string): void };
  stopping: AbortSignal;
  onFilled: (traceCount: number) => void;
}

/**
 * Computes the decision facts of traces that an older version stored, until none is left: the newest traces first, and workspaces round robin.
 * One process at a time does it.
 */
export async function backfillDecisionFacts(options: BackfillOptions): Promise<void> {
  const { db, stopping, onFilled } = options;
  if ((await nextWorkspace(db, BEFORE_ALL_WORKSPACES)) === undefined) return;
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
async function* fillAll(options: BackfillOptions): AsyncGenerator<number> {
  const cursors = new Map<string, Cursor>();
  for (let isLeft = true; isLeft; ) {
    isLeft = false;
    let workspaceId = await nextWorkspace(options.db, BEFORE_ALL_WORKSPACES);
    while (workspaceId !== undefined) {
      for (let chunk = 0; chunk < CHUNKS_PER_ROUND; chunk++) {
        const filled = await fillChunk(options, workspaceId, cursors);
        if (filled === undefined) break;
        isLeft = true;
        yield filled;
      }
      workspaceId = await nextWorkspace(options.db, workspaceId);
    }
  }
}

/** Returns undefined if nothing is left of this workspace. */
async function fillChunk(
  { db, pool, log }: BackfillOptions,
  workspaceId: WorkspaceId,
  cursors: Map<string, Cursor>,
): Promise<number | undefined> {
  const candidates = await nextTraces(db, workspaceId, cursors.get(workspaceId));
  const last = candidates.at(-1);
  if (!last) return undefined;
  cursors.set(workspaceId, last);
  const fill = (ids: string[]) =>
    clientTransaction(pool, (_client, trx) => fillTraces(trx, workspaceId, ids));
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
async function fillTraces(trx: Database, workspaceId: WorkspaceId, ids: string[]): Promise<number> {
  // If the database crashes, what was not flushed is computed again, so the commit need not wait for the disk.
  await sql`select set_config('synchronous_commit', 'off', true)`.execute(trx);
  const { rows } = await sql<{ id: string; startedAt: string }>`
    select id, started_at from traces
    where workspace_id = ${workspaceId} and id = any(${textList(ids)}) and ${hasNoDecisionFacts}
    for update skip locked`.execute(trx);
  if (rows.length === 0) return 0;
  const runs = await refreshComputedColumns(
    trx,
    workspaceId,
    rows.map(({ id }) => id),
  );
  await addTotals(trx, [{ workspaceId, change: noTotals() }]);
  await writeProblems(trx, workspaceId, runs, { isQuiet: true });
  await touchDays(trx, [{ workspaceId, days: new Set(rows.map(({ startedAt }) => dayOf(startedAt))) }]);
  return rows.length;
}

async function nextWorkspace(db: Database, after: string): Promise<WorkspaceId | undefined> {
  const { rows } = await sql<{ workspaceId: WorkspaceId }>`
    select workspace_id from traces where ${hasNoDecisionFacts} and workspace_id > ${after} order by workspace_id limit 1`.execute(
    db,
  );
  return rows[0]?.workspaceId;
}

async function nextTraces(
  db: Database,
  workspaceId: WorkspaceId,
  cursor: Cursor | undefined,
): Promise<Cursor[]> {
  const { startedAt, id } = cursor ?? { startedAt: "infinity", id: "" };
  const { rows } = await sql<Cursor & { rowCount: number }>`
    select id, started_at::text as started_at, span_count + decision_point_count + event_count as row_count from traces
    where ${hasNoDecisionFacts} and workspace_id = ${workspaceId} and (started_at, id) < (${startedAt}::timestamptz, ${id})
    order by started_at desc, id desc limit ${MAX_TRACES}`.execute(db);
  let rowCount = 0;
  return rows.filter((trace, index) => {
    rowCount += trace.rowCount;
    return index === 0 || rowCount <= MAX_ROWS;
  });
}

/** How many traces have no decision facts yet; at most 100,000 are counted. */
export async function countWithoutDecisionFacts(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 from traces where ${hasNoDecisionFacts} limit ${MAX_COUNT}) as found`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** How many traces of a workspace that started in a range of days (UTC) have no facts yet; at most `max` are counted. */
export async function countWithoutDecisionFactsIn(
  db: Database,
  workspaceId: WorkspaceId,
  { from, to }: { from: string; to: string },
  max: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from traces
      where workspace_id = ${workspaceId} and ${hasNoDecisionFacts}
        and started_at >= ${from}::date::timestamp at time zone 'utc'
        and started_at < ${to}::date::timestamp at time zone 'utc'
      limit ${max}) as found`.execute(db);
  return rows[0]?.count ?? 0;
}
