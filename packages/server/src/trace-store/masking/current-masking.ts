import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { MaskingConfig } from "../../masking/masking-config.ts";
import type { ReadCurrentMasking } from "../../masking/maskings.ts";
import { isInForce, raiseMasking, readMasking, type StoredMasking } from "../../masking/stored-masking.ts";
import { lockTotals } from "../counts/totals.ts";

/** Reads the level and rules of a workspace, in a transaction of its own. */
export const currentMasking: ReadCurrentMasking = async (db, workspaceId, config) => {
  const stored = await readMasking(db, workspaceId, config);
  return isInForce(stored, config.floor)
    ? stored
    : transaction(db, (trx) => lockCurrentMasking(trx, workspaceId, config));
};

/**
 * Reads the level and rules of a workspace. If the operator's floor or the matchers of this server mask more than when the version was
 * given, it gets a new one first: stored traces have the version by which they were masked, and are out of date then.
 */
export async function readCurrentMasking(
  trx: Database,
  workspaceId: WorkspaceId,
  config: MaskingConfig,
): Promise<StoredMasking> {
  const stored = await readMasking(trx, workspaceId, config);
  return isInForce(stored, config.floor) ? stored : lockCurrentMasking(trx, workspaceId, config);
}

async function lockCurrentMasking(
  trx: Database,
  workspaceId: WorkspaceId,
  config: MaskingConfig,
): Promise<StoredMasking> {
  await lockTotals(trx, workspaceId);
  const before = await readMasking(trx, workspaceId, config);
  if (isInForce(before, config.floor)) return before;
  const raised = await raiseMasking(trx, workspaceId, before, config.floor);
  await setMaskingVersion(trx, workspaceId, raised.version);
  return raised;
}

/** The caller locks the workspace's totals. */
export async function setMaskingVersion(
  trx: Database,
  workspaceId: WorkspaceId,
  version: number,
): Promise<void> {
  await sql`update trace_totals set masking_version = ${version} where workspace_id = ${workspaceId}`.execute(
    trx,
  );
}
