import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { Live } from "../../live/live.ts";
import { deleteInChunks } from "./delete-in-chunks.ts";
import { deleteTraces } from "./delete-traces.ts";
import { isExpired } from "./is-expired.ts";

/** Thrown inside the transaction of a chunk, which is rolled back. */
class RetentionChanged extends Error {}

interface ExpiredTraces {
  workspaceId: WorkspaceId;
  days: number;
  /** Reads the days that are in force, and blocks changes of them until the transaction ends. */
  lockDays: (trx: Database) => Promise<number | null>;
}

/**
 * Deletes the traces of a workspace that are older than `days`, one short transaction after another. Yields after each how
 * many it deleted. Ends early if other days are in force: nothing is deleted by days that were. A trace that is being
 * stored again is left out; it is deleted later, unless it has a new start.
 */
export async function* deleteExpiredTraces(
  { db, live }: { db: Database; live: Live },
  { workspaceId, days, lockDays }: ExpiredTraces,
): AsyncGenerator<number> {
  const where = isExpired(days);
  const deleteChunk = (trx: Database, traceIds: string[]) =>
    deleteTraces(trx, workspaceId, traceIds, {
      where,
      skipLocked: true,
      check: async () => {
        if ((await lockDays(trx)) !== days) throw new RetentionChanged();
      },
    });
  try {
    for await (const deletedCount of deleteInChunks({ db, workspaceId, where, deleteChunk })) {
      if (deletedCount > 0) live.changed(workspaceId);
      yield deletedCount;
    }
  } catch (error) {
    if (!(error instanceof RetentionChanged)) throw error;
  }
}
