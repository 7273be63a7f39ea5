import { maskText } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { type ReleasedTrace, releaseOf } from "../../decision-facts/release.ts";
import { OTHER_AGENTS, type Tally } from "../days/tally.ts";

export interface GroupNames {
  /** By the agent's row in the tally. */
  agents: Map<number, string>;
  /** By hash. */
  releases: Map<number, string>;
}

/** The name under which agents that are too many to be told apart are counted. */
const OTHER_AGENTS_NAME = "(other agents)";

/**
 * Reads the names of agents and releases from a trace of each. Names are stored nowhere else, so that nothing of a deleted
 * trace remains.
 */
export async function readGroupNames(
  db: Database,
  workspaceId: WorkspaceId,
  tally: Tally,
): Promise<GroupNames> {
  const agentSamples = new Map<number, string>();
  const releaseSamples = new Map<number, string>();
  for (let group = 0; group < tally.groups.size; group += 1) {
    const sample = tally.groupSamples[group] ?? "";
    const [agent, release] = [tally.agentOf(group), tally.releaseOf(group)];
    if (!agentSamples.has(agent)) agentSamples.set(agent, sample);
    if (release !== 0 && !releaseSamples.has(release)) releaseSamples.set(release, sample);
  }
  const ids = [...new Set([...agentSamples.values(), ...releaseSamples.values()])];
  const { rows } = await sql<ReleasedTrace & { id: string; name: string }>`
    select id, name, tags, service_version as "serviceVersion" from traces where workspace_id = ${workspaceId} and id = any(${textList(ids)})`.execute(
    db.withoutPlugins(),
  );
  const traces = new Map(rows.map((row) => [row.id, row]));
  const agents = new Map<number, string>();
  for (const [agent, sample] of agentSamples) {
    const name = maskText(traces.get(sample)?.name ?? "");
    agents.set(agent, tally.agentHash(agent) === OTHER_AGENTS ? OTHER_AGENTS_NAME : name);
  }
  const releases = new Map<number, string>();
  for (const [release, sample] of releaseSamples)
    releases.set(release, releaseOf(traces.get(sample) ?? { tags: [] }) ?? "");
  return { agents, releases };
}
