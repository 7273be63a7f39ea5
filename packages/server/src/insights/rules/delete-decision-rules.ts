import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/** Deletes all rules of a workspace, with the account. */
export async function deleteDecisionRules(db: Database, workspaceId: WorkspaceId): Promise<void> {
  await sql`delete from decision_rules where workspace_id = ${workspaceId}`.execute(db);
}
