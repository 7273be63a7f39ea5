import type { Database } from "../database.ts";

/**
 * Runs a statement once for all workspaces, or in a cluster once for each: there, a statement that locks or changes rows of
 * `DISTRIBUTED_TABLES` must be about one workspace. The statements share a round trip.
 */
export async function forEachWorkspace<Workspace, Row>(
  trx: Database,
  workspaces: Workspace[],
  statement: (workspaces: Workspace[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (workspaces.length === 0) return [];
  if (!trx.sharding) return statement(workspaces);
  return (await Promise.all(workspaces.map((workspace) => statement([workspace])))).flat();
}
