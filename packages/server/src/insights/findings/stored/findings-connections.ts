import type pg from "pg";
import { type Database, databaseOn } from "../../../db/database.ts";
import type { FairDatabase } from "../../../db/fair-database.ts";
import { readSnapshot } from "../../../db/transaction.ts";
import type { WorkspaceId } from "../../../db/workspace-id.ts";

type Work<T> = (db: Database) => Promise<T>;

/** Where findings are computed for: a request waits for a slot of its workspace, a worker takes a connection of its own. */
export interface FindingsConnections {
  run<T>(workspaceId: WorkspaceId, work: Work<T>): Promise<T>;
  /** As `run`, in one snapshot, which cannot be written to. */
  snapshot<T>(workspaceId: WorkspaceId, work: Work<T>): Promise<T>;
}

export const slotConnections = (reads: FairDatabase): FindingsConnections => ({
  run: (workspaceId, work) => reads.run(workspaceId, work),
  snapshot: (workspaceId, work) =>
    reads.run(workspaceId, (db, client) => readSnapshot(client, () => work(db))),
});

export function poolConnections(pool: pg.Pool): FindingsConnections {
  const onClient = async <T>(work: (db: Database, client: pg.PoolClient) => Promise<T>) => {
    const client = await pool.connect();
    try {
      return await work(databaseOn(client), client);
    } finally {
      client.release();
    }
  };
  return {
    run: (_workspaceId, work) => onClient(work),
    snapshot: (_workspaceId, work) => onClient((db, client) => readSnapshot(client, () => work(db))),
  };
}
