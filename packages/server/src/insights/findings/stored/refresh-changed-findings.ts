import { sql } from "kysely";
import type pg from "pg";
import type { Database } from "../../../db/database.ts";
import { runLeased } from "../../../db/run-leased.ts";
import type { WorkspaceId } from "../../../db/workspace-id.ts";
import { readTotals } from "../../../trace-store/counts/totals.ts";
import { confirmFindings, type FindingsKey } from "../../../trace-store/counts/why-findings.ts";
import { BODY_VERSION } from "../findings-body.ts";
import { digestRecordedRuns } from "../read-recorded-runs.ts";
import { MAIN_WINDOW, numberOfLens, windowRange } from "./finding-windows.ts";
import { type FindingsConnections, poolConnections } from "./findings-connections.ts";
import { listActiveAgents } from "./list-active-agents.ts";
import { refreshFindings } from "./refresh-findings.ts";

/*
 * A list is computed again if runs of its agent changed, at most once an hour, and once a day in any case: the window moves, and
 * runs are abandoned. Workspaces are divided into parts by their id; a process takes the lease of a part, and others take those of
 * other parts. A list that two processes compute is stored by the one that read the later version.
 */

/** First digits of the ids of workspaces. */
const PARTS = ["01", "23", "45", "67", "89", "ab", "cd", "ef"];
/** Workspaces of a part per run of the worker; the next run goes on. */
const MAX_WORKSPACES = 500;
/** The pause after each list, relative to its time, so that few requests meet one. */
const PAUSE_RATIO = 5;
const MIN_AGE = sql`interval '1 hour'`;
const MAX_AGE = sql`interval '1 day'`;

interface RefreshOptions {
  db: Database;
  /** Runs are read on these connections. */
  pool: pg.Pool;
  log: { warn(fields: object, message: string): void };
  stopping: AbortSignal;
}

/** Computes the lists of findings that are due, one after another. Returns how many. */
export async function refreshChangedFindings(options: RefreshOptions): Promise<number> {
  const { db, stopping } = options;
  let computed = 0;
  for (const part of PARTS) {
    if (stopping.aborted) break;
    const job = `findings ${part}`;
    await runLeased(
      { db, job, pauseRatio: PAUSE_RATIO, stopping },
      () => refreshPart(options, part),
      (isComputed) => {
        if (isComputed) computed += 1;
      },
    );
  }
  return computed;
}

/** Yields after each list whether it was computed. */
async function* refreshPart({ db, pool, log }: RefreshOptions, part: string): AsyncGenerator<boolean> {
  const connections = poolConnections(pool);
  for (const workspaceId of await listDueWorkspaces(db, part))
    try {
      for (const due of await listDueLists(db, workspaceId))
        yield await refreshUnlessUnchanged(connections, workspaceId, due);
    } catch (err) {
      // A workspace that fails does not keep the others waiting.
      log.warn({ err, workspaceId }, "findings of a workspace not computed; will retry");
    }
}

/** Workspaces whose traces changed since one of their lists was computed, or that have an old list; the oldest first. */
async function listDueWorkspaces(db: Database, part: string): Promise<WorkspaceId[]> {
  const isOfPart = sql`left(workspace_id::text, 1) = any(${[...part]}::text[])`;
  const { rows } = await sql<{ workspaceId: WorkspaceId }>`
    select workspace_id from (
      select workspace_id, max(changed) as changed, null::bigint as counted, null::timestamptz as oldest
      from decision_days where ${isOfPart} and day > (now() at time zone 'utc')::date - ${sql.lit(MAIN_WINDOW)}
      group by workspace_id
      union all
      select workspace_id, null, min(counted), min(computed_at) from why_findings where ${isOfPart} group by workspace_id
    ) as both_tables
    group by workspace_id
    having max(counted) is null or max(changed) > max(counted) or max(oldest) < now() - ${MAX_AGE}
    order by max(oldest) nulls first, workspace_id limit ${MAX_WORKSPACES}`.execute(db);
  return rows.map(({ workspaceId }) => workspaceId);
}

interface DueList extends FindingsKey {
  /** Undefined if the list has to be computed whether or not runs changed. */
  digest?: string | undefined;
}

interface KnownList extends FindingsKey {
  digest: string;
  isOld: boolean;
  isNew: boolean;
}

/**
 * Those that are not stored yet come first. Lists that somebody asked for once are kept for all agents, and so are those of the
 * last 30 days for failures and errors.
 */
async function listDueLists(db: Database, workspaceId: WorkspaceId): Promise<DueList[]> {
  const near = await db.of(workspaceId);
  const { rows: known } = await sql<KnownList>`
    select agent_hash, lens, window_days, digest,
      computed_at < now() - ${MAX_AGE} or counted < 0 or (body->>'version')::integer <> ${BODY_VERSION} as is_old,
      computed_at > now() - ${MIN_AGE} as is_new
    from why_findings where workspace_id = ${workspaceId} order by computed_at`.execute(near);
  const keyOf = ({ agentHash, lens, windowDays }: FindingsKey) => `${agentHash} ${lens} ${windowDays}`;
  const knownKeys = new Set(known.map(keyOf));
  const kept = new Map<string, { lens: number; windowDays: number }>();
  const mainLists = (["failed", "error"] as const).map((lens) => ({
    lens: numberOfLens(lens),
    windowDays: MAIN_WINDOW,
  }));
  for (const { lens, windowDays } of [...mainLists, ...known])
    kept.set(`${lens} ${windowDays}`, { lens, windowDays });
  const missing: DueList[] = [];
  for (const windowDays of new Set([...kept.values()].map((one) => one.windowDays)))
    for (const agentHash of await listActiveAgents(near, workspaceId, windowRange(windowDays)))
      for (const one of kept.values())
        if (one.windowDays === windowDays) missing.push({ agentHash, lens: one.lens, windowDays });
  return [
    ...missing.filter((one) => !knownKeys.has(keyOf(one))),
    ...known
      .filter(({ isOld, isNew }) => isOld || !isNew)
      .map(({ isOld, digest, ...key }) => ({ ...key, digest: isOld ? undefined : digest })),
  ];
}

/** Returns whether the list was computed. */
async function refreshUnlessUnchanged(
  connections: FindingsConnections,
  workspaceId: WorkspaceId,
  { digest, ...due }: DueList,
): Promise<boolean> {
  if (digest !== undefined) {
    const window = { agentHash: due.agentHash, range: windowRange(due.windowDays) };
    const now = await connections.snapshot(workspaceId, async (db) => ({
      version: (await readTotals(db, workspaceId)).version,
      digest: await digestRecordedRuns(db, workspaceId, window),
    }));
    if (now.digest === digest) {
      await connections.run(workspaceId, (db) => confirmFindings(db, workspaceId, due, now.version));
      return false;
    }
  }
  await refreshFindings(connections, workspaceId, due, { isWorker: true });
  return true;
}
