import { sql } from "kysely";
import type { Database } from "../../../db/database.ts";
import type { WorkspaceId } from "../../../db/workspace-id.ts";
import { BODY_VERSION, type FindingsBody, type ListedSince } from "../findings-body.ts";

export interface StoredList {
  agentHash: number;
  computedAt: string;
  body: FindingsBody;
  since: readonly ListedSince[];
}

interface ListQuery {
  lens: number;
  windowDays: number;
  /** Default: all agents. */
  agentHash?: number | undefined;
}

/** Lists that are outdated, or of another version, are taken for missing, so that they are computed again. */
const isCurrent = sql`counted >= 0 and (body->>'version')::integer = ${sql.lit(BODY_VERSION)}`;

export async function readStoredFindings(
  db: Database,
  workspaceId: WorkspaceId,
  { lens, windowDays, agentHash }: ListQuery,
): Promise<StoredList[]> {
  const isListed = agentHash === undefined ? sql`true` : sql`agent_hash = ${agentHash}`;
  const { rows } = await sql<StoredList>`
    select agent_hash, computed_at, body, since from why_findings
    where workspace_id = ${workspaceId} and lens = ${lens} and window_days = ${windowDays} and ${isListed} and ${isCurrent}
    order by agent_hash`.execute(db);
  return rows;
}

/** The smallest adjusted p of each agent and lens. */
export async function readSmallest(
  db: Database,
  workspaceId: WorkspaceId,
  windowDays: number,
): Promise<{ agentHash: number; lens: number; smallest: number }[]> {
  const { rows } = await sql<{ agentHash: number; lens: number; smallest: number }>`
    select agent_hash, lens, (body->>'smallest')::float8 as smallest from why_findings
    where workspace_id = ${workspaceId} and window_days = ${windowDays} and ${isCurrent}`.execute(db);
  return rows;
}
