import { hash53, MASKED_MAX_LENGTH } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { RunProblems } from "./run-problems.ts";

const KNOWN_FOR_MS = 3_600_000;
const MAX_KNOWN = 50_000;

/** Pairs of agent and release that are committed, and until when this process need not look again. */
const known = new Map<string, number>();

interface AgentRelease {
  agentHash: number;
  releaseHash: number;
  name: string;
}

export const releaseHash = (release: string): number => hash53(release);

const keyOf = (workspaceId: WorkspaceId, { agentHash, releaseHash: hash }: Omit<AgentRelease, "name">) =>
  `${workspaceId} ${agentHash} ${hash}`;

/** The releases of runs that this process does not know as committed, each once. */
export function newReleases(workspaceId: WorkspaceId, runs: readonly RunProblems[]): AgentRelease[] {
  const found = new Map<string, AgentRelease>();
  const now = Date.now();
  for (const { agentHash, release } of runs) {
    if (release === null) continue;
    const pair = {
      agentHash,
      releaseHash: releaseHash(release),
      name: release.slice(0, MASKED_MAX_LENGTH).toWellFormed(),
    };
    const key = keyOf(workspaceId, pair);
    if ((known.get(key) ?? 0) < now) found.set(key, pair);
  }
  return [...found.values()];
}

/** Gives releases that nobody has seen their place in the order of first sight: the version of the transaction. */
export async function writeReleases(
  trx: Database,
  workspaceId: WorkspaceId,
  version: number,
  releases: AgentRelease[],
): Promise<void> {
  if (releases.length === 0) return;
  const sorted = releases.toSorted((a, b) => a.agentHash - b.agentHash || a.releaseHash - b.releaseHash);
  const { rows } = await sql<Omit<AgentRelease, "name">>`/* prepared */
    insert into agent_releases as stored (workspace_id, agent_hash, release_hash, name, version)
    select ${workspaceId}::uuid, sent."agentHash", sent."releaseHash", sent.name, ${version}::bigint
    from json_to_recordset(${JSON.stringify(sorted)}::json)
      as sent ("agentHash" bigint, "releaseHash" bigint, name text)
    on conflict (workspace_id, agent_hash, release_hash) do nothing
    returning stored.agent_hash, stored.release_hash`.execute(trx);
  // Those that were there already are committed: what this transaction inserts may still be rolled back.
  const inserted = new Set(rows.map((row) => keyOf(workspaceId, row)));
  if (known.size > MAX_KNOWN) known.clear();
  for (const release of releases) {
    const key = keyOf(workspaceId, release);
    if (!inserted.has(key)) known.set(key, Date.now() + KNOWN_FOR_MS);
  }
}
