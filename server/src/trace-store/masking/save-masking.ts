import type { MaskingLevel } from "@whytrace/contract/schemas/masking/settings";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { HttpError } from "../../http/http-error.ts";
import {
  type MaskingChange,
  readMasking,
  type StoredMasking,
  updateMasking,
} from "../../masking/stored-masking.ts";
import { lockTotals } from "../counts/totals.ts";

export const CHANGED_MEANWHILE = "The masking rules were changed meanwhile. Load them again.";

export interface SavedMasking extends MaskingChange {
  /** The version that the change is based on. */
  version: number;
  defaultLevel: MaskingLevel;
}

/**
 * Changes level and rules. It locks the row that every transaction that stores values locks at its end: when this one has
 * committed, nothing that was masked by older rules is committed any more, on any server.
 */
export async function saveMasking(
  trx: Database,
  workspaceId: WorkspaceId,
  { version, defaultLevel, ...change }: SavedMasking,
): Promise<StoredMasking> {
  await lockTotals(trx, workspaceId);
  const before = await readMasking(trx, workspaceId, defaultLevel);
  if (before.version !== version) throw new HttpError(409, CHANGED_MEANWHILE);
  const saved = await updateMasking(trx, workspaceId, before, change);
  await sql`
    update trace_totals set masking_version = ${saved.version} where workspace_id = ${workspaceId}`.execute(
    trx,
  );
  return saved;
}
