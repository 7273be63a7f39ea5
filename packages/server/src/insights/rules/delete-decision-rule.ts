import { sql } from "kysely";
import { type Origin, recordEvent } from "../../audit/record-event.ts";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/** Returns false if the workspace has no such rule. */
export function deleteDecisionRule(
  db: Database,
  workspaceId: WorkspaceId,
  id: string,
  origin: Origin,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    const { rows } = await sql`
      delete from decision_rules where workspace_id = ${workspaceId} and id::text = ${id} returning id`.execute(
      trx,
    );
    if (rows.length === 0) return false;
    // Last: what is written to the directory may stay if the transaction fails.
    const target = { kind: "rule", id, name: null };
    await recordEvent(trx.directory, workspaceId, origin, { action: "rule.deleted", target });
    return true;
  });
}
