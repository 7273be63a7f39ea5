import { sql } from "kysely";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Returns false if the workspace has no such rule. */
export function deletePriceRule(
  db: Database,
  workspaceId: WorkspaceId,
  id: string,
  origin: Origin,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    const { rows } = await sql<{ id: string; model: string }>`
      delete from price_rules where workspace_id = ${workspaceId} and id::text = ${id}
      returning id, model`.execute(trx);
    const [rule] = rows;
    if (!rule) return false;
    const target = { kind: "price", id: rule.id, name: rule.model };
    await recordEvent(trx, workspaceId, origin, { action: "price.deleted", target });
    return true;
  });
}
