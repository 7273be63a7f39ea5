import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** A release of an agent; a higher version was first seen later. */
export interface SeenRelease {
  name: string;
  version: number;
  firstSeenAt: string;
}

/** The releases of a workspace's agents. */
export interface Releases {
  of(agentHash: number, releaseHash: number): SeenRelease | undefined;
  /** By the day in UTC on which they were first seen; of several, the last one. */
  byDay(agentHash: number): ReadonlyMap<string, string>;
}

export async function readReleases(db: Database, workspaceId: WorkspaceId): Promise<Releases> {
  const { rows } = await sql<SeenRelease & { agentHash: number; releaseHash: number }>`
    select agent_hash, release_hash, name, version, first_seen_at from agent_releases
    where workspace_id = ${workspaceId} order by version`.execute(db);
  const byKey = new Map(rows.map((row) => [`${row.agentHash} ${row.releaseHash}`, row]));
  const byAgent = Map.groupBy(rows, ({ agentHash }) => agentHash);
  return {
    of: (agentHash, releaseHash) => byKey.get(`${agentHash} ${releaseHash}`),
    byDay: (agentHash) =>
      new Map(
        (byAgent.get(agentHash) ?? []).map(({ firstSeenAt, name }) => [firstSeenAt.slice(0, 10), name]),
      ),
  };
}
