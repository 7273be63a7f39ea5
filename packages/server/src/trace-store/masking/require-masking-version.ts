import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { MaskingChanged } from "../../masking/masking-changed.ts";
import { lockTotals } from "../counts/totals.ts";

/**
 * Throws MaskingChanged if rules have another version than the one by which values were masked. It is for transactions that do
 * not add to the totals, whose row it locks, so it comes last.
 */
export async function requireMaskingVersion(
  trx: Database,
  workspaceId: WorkspaceId,
  version: number,
): Promise<void> {
  await lockTotals(trx, workspaceId);
  const { rows } = await sql<{ maskingVersion: number }>`
    select masking_version from trace_totals where workspace_id = ${workspaceId}`.execute(trx);
  if (rows[0]?.maskingVersion !== version) throw new MaskingChanged();
}
