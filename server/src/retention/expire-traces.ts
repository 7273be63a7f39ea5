import { listLimitedUsers, lockRetentionDays, type RetentionLimits } from "../billing/retention.ts";
import { BEFORE_ALL_USERS } from "../db/before-all-users.ts";
import type { Database } from "../db/database.ts";
import { runLeased } from "../db/run-leased.ts";
import type { Live } from "../live/live.ts";
import { deleteExpiredTraces } from "../trace-store/delete-expired-traces.ts";

const USERS_PER_QUERY = 500;
/** The pause after each transaction, relative to its time, so that ingest of other users stays fast. */
const PAUSE_RATIO = 5;
/** After so many transactions for a user, other users have their turn. */
const CHUNKS_PER_TURN = 20;

export interface ExpiryOptions {
  db: Database;
  live: Live;
  limits: RetentionLimits;
  log: { warn(fields: object, message: string): void };
  stopping: AbortSignal;
  onDeleted: (traceCount: number) => void;
}

/** Deletes the traces of all users that were kept as long as they should be. One process at a time does it. */
export async function expireTraces(options: ExpiryOptions): Promise<void> {
  const { db, limits, stopping, onDeleted } = options;
  if ((await listLimitedUsers(db, limits, BEFORE_ALL_USERS, 1)).length === 0) return;
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
    unfinished.push(...(yield* takeTurns(deletions)));
    // Also if nothing was deleted, the caller pauses and renews its lease.
    yield 0;
  }
  while (unfinished.length > 0) unfinished = yield* takeTurns(unfinished);
}

/** Gives each deletion a turn, and returns those that did not end. */
async function* takeTurns(deletions: Deletion[]): AsyncGenerator<number, Deletion[]> {
  const unfinished: Deletion[] = [];
  for (const deletion of deletions) {
    let isDone = false;
    for (let chunk = 0; chunk < CHUNKS_PER_TURN && !isDone; chunk += 1) {
      const next = await deletion.next();
      isDone = next.done === true;
      if (!next.done) yield next.value;
    }
    if (!isDone) unfinished.push(deletion);
  }
  return unfinished;
}

/** The deletions of all users, a few hundred users at a time. A deletion starts when it has its first turn. */
async function* allDeletions({ db, live, limits, log }: ExpiryOptions): AsyncGenerator<Deletion[]> {
  for (let after = BEFORE_ALL_USERS; ; ) {
    const users = await listLimitedUsers(db, limits, after, USERS_PER_QUERY);
    yield users.flatMap(({ userId, days }) => (days === null ? [] : deletionOf(userId, days)));
    after = users.at(-1)?.userId ?? after;
    if (users.length < USERS_PER_QUERY) return;
  }

  /** If it fails, the others go on. */
  async function* deletionOf(userId: string, days: number): Deletion {
    const lockDays = (trx: Database) => lockRetentionDays(trx, userId, limits);
    try {
      yield* deleteExpiredTraces({ db, live }, { userId, days, lockDays });
    } catch (err) {
      log.warn({ err }, "deletion of expired traces interrupted; will retry");
    }
  }
}
