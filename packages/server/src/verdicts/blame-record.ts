import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { verdictConditions } from "./verdict-filter.ts";

/** How many first suspects of an agent were judged, and how many of them were indeed wrong. */
export async function blameRecord(
  db: Database,
  workspaceId: WorkspaceId,
  agentHash: number,
): Promise<{ judged: number; right: number }> {
  const { rows } = await sql<{ judged: number; right: number }>`
    select count(*) as judged, count(*) filter (where verdict = 'wrong') as "right" from verdicts
    where ${verdictConditions(workspaceId, { agentHash })} and suspect_rank = 1`.execute(db);
  return rows[0] ?? { judged: 0, right: 0 };
}
