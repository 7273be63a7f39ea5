import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { HttpError } from "../../http/http-error.ts";
import type { MaskingConfig } from "../../masking/masking-config.ts";
import {
  type MaskingChange,
  readMasking,
  type StoredMasking,
  updateMasking,
} from "../../masking/stored-masking.ts";
import { lockTotals } from "../counts/totals.ts";
import { setMaskingVersion } from "./current-masking.ts";

export const CHANGED_MEANWHILE = "The masking rules were changed meanwhile. Load them again.";

interface SavedMasking extends Omit<MaskingChange, "floor"> {
  /** The version that the change is based on. */
  version: number;
  config: MaskingConfig;
}

/**
 * Changes level and rules. It locks the row that every transaction that stores values locks at its end: when this one has
 * committed, nothing that was masked by older rules is committed any more, on any server.
 */
export async function saveMasking(
  trx: Database,
  workspaceId: WorkspaceId,
  { version, config, ...change }: SavedMasking,
): Promise<StoredMasking> {
  await lockTotals(trx, workspaceId);
  const before = await readMasking(trx, workspaceId, config);
  if (before.version !== version) throw new HttpError(409, CHANGED_MEANWHILE);
  const saved = await updateMasking(trx, workspaceId, before, { ...change, floor: config.floor });
  await setMaskingVersion(trx, workspaceId, saved.version);
  return saved;
}
