import { sql } from "kysely";
import type { Database } from "../../../db/database.ts";
import { textList } from "../../../db/statements/text-list.ts";
import { transaction } from "../../../db/transaction.ts";
import type { WorkspaceId } from "../../../db/workspace-id.ts";
import { HttpError } from "../../../http/http-error.ts";
import { outdateFindings } from "../../../trace-store/counts/why-findings.ts";

const MAX_AGENTS = 1_000;
export const TOO_MANY_AGENTS = `You can name situation keys of at most ${MAX_AGENTS} agents.`;

interface AgentKeys {
  agent: string;
  keys: string[];
}

/** The situation keys of an agent; none unless the workspace named some. */
export async function readSituationKeys(
  db: Database,
  workspaceId: WorkspaceId,
  agentHash: number,
): Promise<string[]> {
  const { rows } = await sql<{ keys: string[] }>`
    select keys from situation_keys where workspace_id = ${workspaceId} and agent_hash = ${agentHash}`.execute(
    db,
  );
  return rows[0]?.keys ?? [];
}

export async function listSituationKeys(db: Database, workspaceId: WorkspaceId): Promise<AgentKeys[]> {
  const { rows } = await sql<AgentKeys>`
    select agent, keys from situation_keys where workspace_id = ${workspaceId} order by agent, agent_hash`.execute(
    db,
  );
  return rows;
}

/** Replaces the situation keys of an agent; its findings are computed again. */
export function saveSituationKeys(
  db: Database,
  workspaceId: WorkspaceId,
  { agentHash, agent, keys }: AgentKeys & { agentHash: number },
): Promise<void> {
  return transaction(db, async (trx) => {
    // Serializes a workspace's changes, so that concurrent requests cannot exceed the limit.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`situation-keys ${workspaceId}`}, 0))`.execute(
      trx,
    );
    await sql`delete from situation_keys where workspace_id = ${workspaceId} and agent_hash = ${agentHash}`.execute(
      trx,
    );
    if (keys.length > 0)
      await sql`
        insert into situation_keys (workspace_id, agent_hash, agent, keys)
        values (${workspaceId}, ${agentHash}, ${agent}, ${textList(keys)})`.execute(trx);
    const { rows: counted } = await sql<{ count: number }>`
      select count(*) as count from situation_keys where workspace_id = ${workspaceId}`.execute(trx);
    if ((counted[0]?.count ?? 0) > MAX_AGENTS) throw new HttpError(409, TOO_MANY_AGENTS);
    await outdateFindings(trx, workspaceId, agentHash);
  });
}

/** Deletes the situation keys of all agents, with the account. */
export async function deleteSituationKeys(db: Database, workspaceId: WorkspaceId): Promise<void> {
  await sql`delete from situation_keys where workspace_id = ${workspaceId}`.execute(db);
}
