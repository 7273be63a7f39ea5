import { listLimitedWorkspaces, lockRetentionDays, type RetentionLimits } from "../billing/retention.ts";
import { BEFORE_ALL_WORKSPACES } from "../db/before-all-workspaces.ts";
import type { Database } from "../db/database.ts";
import { runLeased } from "../db/run-leased.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { Live } from "../live/live.ts";
import { deleteExpiredTraces } from "../trace-store/delete/delete-expired-traces.ts";

const WORKSPACES_PER_QUERY = 500;
/** The pause after each transaction, relative to its time, so that ingest of other workspaces stays fast. */
const PAUSE_RATIO = 5;
/** Transactions for a workspace before the next workspace follows. */
const CHUNKS_PER_ROUND = 20;

interface ExpiryOptions {
  db: Database;
  live: Live;
  limits: RetentionLimits;
  log: { warn(fields: object, message: string): void };
  stopping: AbortSignal;
  onDeleted: (traceCount: number) => void;
}

/** Deletes the traces of all workspaces that were kept as long as they should be. One process at a time does it. */
export async function expireTraces(options: ExpiryOptions): Promise<void> {
  const { db, limits, stopping, onDeleted } = options;
  if ((await listLimitedWorkspaces(db, limits, BEFORE_ALL_WORKSPACES, 1)).length === 0) return;
  await runLeased(
    { db, job: "expire traces", pauseRatio: PAUSE_RATIO, stopping },
    () => expireAll(options),
    onDeleted,
  );
}

type Deletion = AsyncGenerator<number>;

/** Yields after each transaction the number of its traces. */
async function* expireAll(options: ExpiryOptions): AsyncGenerator<number> {
  let unfinished: Deletion[] = [];
  for await (const deletions of allDeletions(options)) {
    unfinished.push(...(yield* runRound(deletions)));
    // Also if nothing was deleted, the caller pauses and renews its lease.
    yield 0;
  }
  while (unfinished.length > 0) unfinished = yield* runRound(unfinished);
}

/** Continues each deletion for some transactions, and returns those that did not end. */
async function* runRound(deletions: Deletion[]): AsyncGenerator<number, Deletion[]> {
  const unfinished: Deletion[] = [];
  for (const deletion of deletions) {
    let isDone = false;
    for (let chunk = 0; chunk < CHUNKS_PER_ROUND && !isDone; chunk += 1) {
      const next = await deletion.next();
      isDone = next.done === true;
      if (!next.done) yield next.value;
    }
    if (!isDone) unfinished.push(deletion);
  }
  return unfinished;
}

/** The deletions of all workspaces, a few hundred workspaces at a time. A deletion starts in its first round. */
async function* allDeletions({ db, live, limits, log }: ExpiryOptions): AsyncGenerator<Deletion[]> {
  for (let after = BEFORE_ALL_WORKSPACES; ; ) {
    const workspaces = await listLimitedWorkspaces(db, limits, after, WORKSPACES_PER_QUERY);
    yield workspaces.flatMap(({ workspaceId, days }) => (days === null ? [] : deletionOf(workspaceId, days)));
    after = workspaces.at(-1)?.workspaceId ?? after;
    if (workspaces.length < WORKSPACES_PER_QUERY) return;
  }

  /** If it fails, the others go on. */
  async function* deletionOf(workspaceId: WorkspaceId, days: number): Deletion {
    const lockDays = (trx: Database) => lockRetentionDays(trx, workspaceId, limits);
    try {
      yield* deleteExpiredTraces({ db, live }, { workspaceId, days, lockDays });
    } catch (err) {
      log.warn({ err }, "deletion of expired traces interrupted; will retry");
    }
  }
}
