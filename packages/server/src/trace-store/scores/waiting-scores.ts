import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import { MAX_TRANSACTION_SECONDS, transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { Live } from "../../live/live.ts";
import { readDefinitions } from "../../outcomes/read-definitions.ts";
import { refreshOutcomes } from "../outcomes/refresh-outcomes.ts";
import { countScoredTraces } from "./count-scored-traces.ts";
import { lockScoredTraces } from "./lock-scored-traces.ts";
import { MAX_DAYS_BEFORE_TRACE } from "./store-scores.ts";

const WAITING_DAYS = 30;
const TRACES_AT_ONCE = 200;
/** Workspaces whose changes are remembered. */
const MAX_REMEMBERED = 10_000;

interface WaitingScoresOptions {
  db: Database;
  live: Live;
}

interface WaitingTrace {
  workspaceId: WorkspaceId;
  traceId: string;
}

/**
 * Whether a score that waits is about the stored trace with that id, and not about an earlier one. The difference of two times is
 * immutable. A time less an interval is not, and what is not may not read columns in an update.
 */
const IS_ABOUT_TRACE = sql`traces.started_at - scores.timestamp <= make_interval(days => ${MAX_DAYS_BEFORE_TRACE})`;

/**
 * Finds scores whose trace was stored after them, and lets them count. A trace that comes does not look for scores: that would
 * cost every trace a read. Instead, each run looks at the scores that came last, and at the traces that changed since the last
 * run, of workspaces in which scores wait.
 */
export class WaitingScores {
  readonly #options: WaitingScoresOptions;
  /** The version of a workspace's totals up to which its waiting scores were compared with all its traces. */
  readonly #checked = new Map<WorkspaceId, number>();
  /** When the last run began, by the clock of the database. */
  #lastRunAt: string | undefined;

  constructor(options: WaitingScoresOptions) {
    this.#options = options;
  }

  async run(stopping: AbortSignal): Promise<void> {
    const { db } = this.#options;
    const { rows: clock } = await sql<{ now: string }>`select now()::text as now`.execute(db);
    const now = clock[0]?.now;
    // A score that was being stored while its trace came is found by its own time: the last run did not see it.
    const { rows: recent } = await sql<WaitingTrace>`
      select distinct scores.workspace_id, scores.trace_id from scores
        join traces on traces.workspace_id = scores.workspace_id and traces.id = scores.trace_id
      where scores.is_waiting and ${IS_ABOUT_TRACE}
        and scores.created_at
          > coalesce(${this.#lastRunAt ?? null}::timestamptz, now()) - make_interval(secs => ${MAX_TRANSACTION_SECONDS})`.execute(
      db,
    );
    for (const [workspaceId, traces] of Map.groupBy(recent, (row) => row.workspaceId))
      await this.#settle(workspaceId, idsOf(traces), stopping);
    for (const { workspaceId, version } of await this.#changedWorkspaces()) {
      if (stopping.aborted) return;
      await this.#settle(workspaceId, await this.#findWaiting(workspaceId), stopping);
      if (stopping.aborted) return;
      if (this.#checked.size >= MAX_REMEMBERED) this.#checked.clear();
      this.#checked.set(workspaceId, version);
    }
    this.#lastRunAt = now;
  }

  /** Workspaces in which scores wait and traces changed since they were checked. */
  async #changedWorkspaces(): Promise<{ workspaceId: WorkspaceId; version: number }[]> {
    const { rows } = await sql<{ workspaceId: WorkspaceId; version: number }>`
      select workspace_id, version from trace_totals
      where exists (select from scores where scores.workspace_id = trace_totals.workspace_id and is_waiting)`.execute(
      this.#options.db,
    );
    return rows.filter(({ workspaceId, version }) => this.#checked.get(workspaceId) !== version);
  }

  /** The stored traces for which scores wait; if it is known which traces changed, only among those. */
  async #findWaiting(workspaceId: WorkspaceId): Promise<string[]> {
    const db = await this.#options.db.of(workspaceId);
    const changed = await this.#changedTraces(db, workspaceId);
    const isChanged = changed === undefined ? sql`true` : sql`scores.trace_id = any(${textList(changed)})`;
    const { rows } = await sql<{ traceId: string }>`
      select distinct scores.trace_id from scores
        join traces on traces.workspace_id = ${workspaceId} and traces.id = scores.trace_id
      where scores.workspace_id = ${workspaceId} and scores.is_waiting and ${isChanged} and ${IS_ABOUT_TRACE}`.execute(
      db,
    );
    return idsOf(rows);
  }

  /** The traces that changed since the last check; undefined if the record of changes does not say. */
  async #changedTraces(db: Database, workspaceId: WorkspaceId): Promise<string[] | undefined> {
    const checked = this.#checked.get(workspaceId);
    if (checked === undefined) return undefined;
    const { rows } = await sql<{ position: number; traces: string | null }>`
      select position, traces from trace_changes where workspace_id = ${workspaceId} and position > ${checked}
      order by position`.execute(db);
    const isComplete = rows[0]?.position === checked + 1 && rows.every(({ traces }) => traces !== null);
    if (!isComplete) return undefined;
    const ids = rows.flatMap(({ traces }): string[] =>
      JSON.parse(traces ?? "[]").map(({ id }: { id: string }) => id),
    );
    return [...new Set(ids)];
  }

  async #settle(workspaceId: WorkspaceId, traceIds: string[], stopping: AbortSignal): Promise<void> {
    const { db, live } = this.#options;
    for (let start = 0; start < traceIds.length && !stopping.aborted; start += TRACES_AT_ONCE) {
      const ids = traceIds.slice(start, start + TRACES_AT_ONCE);
      await transaction(await db.of(workspaceId), (trx) => settleScores(trx, workspaceId, ids));
      live.changed(workspaceId);
    }
  }
}

const idsOf = (rows: { traceId: string }[]) => rows.map(({ traceId }) => traceId).sort();

/** Lets the waiting scores of those of the traces that exist count. */
async function settleScores(trx: Database, workspaceId: WorkspaceId, traceIds: string[]): Promise<void> {
  const locked = await lockScoredTraces(trx, workspaceId, traceIds);
  const { rows } = await sql<{ traceId: string }>`
    update scores set is_waiting = false from traces
    where scores.workspace_id = ${workspaceId} and scores.trace_id = any(${textList([...locked.keys()])})
      and scores.is_waiting and traces.workspace_id = ${workspaceId} and traces.id = scores.trace_id
      and ${IS_ABOUT_TRACE}
    returning scores.trace_id`.execute(trx);
  const definitions = await readDefinitions(trx, workspaceId);
  const change = await refreshOutcomes(trx, workspaceId, [...new Set(idsOf(rows))], definitions);
  await countScoredTraces(trx, [change]);
}

/** Deletes scores whose traces have not come. */
export async function sweepWaitingScores(db: Database): Promise<void> {
  await sql`
    delete from scores
    where is_waiting and created_at < now() - make_interval(days => ${WAITING_DAYS})`.execute(db);
}
