import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { RELEASE_NAME } from "../../decision-facts/release-name.ts";

const MAX_CHECKED = 20;

interface StoredRelease {
  workspaceId: WorkspaceId;
  agentHash: number;
  releaseHash: number;
  name: string;
  isEmptyForADay: boolean;
}

/**
 * Deletes releases of agents of which no trace has been there for a day. Each is looked up once a day: the second time in a row that
 * it has no trace, it is deleted.
 */
export async function sweepReleases(db: Database): Promise<void> {
  const { rows } = await sql<StoredRelease>`
    select workspace_id, agent_hash, release_hash, name,
      coalesce(empty_since < now() - interval '24 hours', false) as is_empty_for_a_day
    from agent_releases where coalesce(checked_at, first_seen_at) < now() - interval '25 hours'
    order by coalesce(checked_at, first_seen_at) limit ${MAX_CHECKED}`.execute(db);
  for (const release of rows) await checkRelease(await db.of(release.workspaceId), release);
}

async function checkRelease(
  db: Database,
  { workspaceId, agentHash, releaseHash, name, isEmptyForADay }: StoredRelease,
): Promise<void> {
  const ofRelease = sql`workspace_id = ${workspaceId} and agent_hash = ${agentHash} and release_hash = ${releaseHash}`;
  const hasTrace =
    (await hasTaggedTrace(db, workspaceId, agentHash, name)) ||
    (await hasReleasedTrace(db, workspaceId, agentHash, name));
  if (hasTrace)
    await sql`
      update agent_releases set checked_at = now(), empty_since = null where ${ofRelease}`.execute(db);
  else if (isEmptyForADay) await sql`delete from agent_releases where ${ofRelease}`.execute(db);
  else
    await sql`
      update agent_releases set checked_at = now(), empty_since = coalesce(empty_since, now())
      where ${ofRelease}`.execute(db);
}

/** Most releases are tags in their usual form, which an index finds. */
async function hasTaggedTrace(
  db: Database,
  workspaceId: WorkspaceId,
  agentHash: number,
  name: string,
): Promise<boolean> {
  const tags = textList([`release:${name}`, `version:${name}`, name]);
  const { rows } = await sql`
    select from traces
    where workspace_id = ${workspaceId} and tags && ${tags} and agent_hash = ${agentHash} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

async function hasReleasedTrace(
  db: Database,
  workspaceId: WorkspaceId,
  agentHash: number,
  name: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from traces
    where workspace_id = ${workspaceId} and agent_hash = ${agentHash} and left(${RELEASE_NAME}, char_length(${name})) = ${name}
    limit 1`.execute(db);
  return rows.length > 0;
}
