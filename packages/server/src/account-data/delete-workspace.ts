import { sql } from "kysely";
import { permitSweep } from "../audit/sweep-events.ts";
import { requestCancellation } from "../billing/cancellations.ts";
import { deleteSubscription } from "../billing/delete-subscription.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { deleteDecisionRules } from "../insights/rules/delete-decision-rules.ts";
import { deleteWorkspace } from "../workspaces/delete-workspace.ts";
import { lockMember } from "../workspaces/lock-workspace.ts";
import type { MemberSession } from "../workspaces/member-session.ts";
import { continueDeletion, type DeletionOptions, type Lease, requestDeletion } from "./continue-deletions.ts";

/** Within this time a small workspace is completely deleted. */
const MAX_WAIT_MS = 5_000;

export const WRONG_NAME = "The name does not match.";

/** Ends a workspace for everybody, behind the lock on its row. Its traces are still to be deleted: under the lease. */
export async function endWorkspace(trx: Database, workspaceId: WorkspaceId): Promise<Lease | undefined> {
  const lease = await requestDeletion(trx, workspaceId);
  await requestCancellation(trx, workspaceId);
  await deleteSubscription(trx, workspaceId);
  await permitSweep(trx);
  await deleteWorkspace(trx, workspaceId);
  await deleteDecisionRules(trx, workspaceId);
  return lease;
}

/** Returns after a few seconds even if there are traces left: a worker deletes them. */
export async function deleteTracesNow(
  options: Omit<DeletionOptions, "stopping">,
  leases: (Lease | undefined)[],
): Promise<void> {
  const stopping = AbortSignal.timeout(MAX_WAIT_MS);
  for (const lease of leases) if (lease) await continueDeletion({ ...options, stopping }, lease);
}

/** Deletes a workspace by its name: first the workspace, in one transaction, then its traces. */
export async function deleteNamedWorkspace(
  options: Omit<DeletionOptions, "stopping">,
  { workspaceId, user }: MemberSession,
  name: string,
): Promise<void> {
  const lease = await transaction(options.db, async (trx) => {
    await lockMember(trx, { workspaceId, userId: user.id, needed: "owner" });
    const { rows } = await sql<{ name: string }>`
      select name from workspaces where id = ${workspaceId}`.execute(trx);
    if (rows[0]?.name !== name) throw new HttpError(400, WRONG_NAME);
    return endWorkspace(trx, workspaceId);
  });
  await deleteTracesNow(options, [lease]);
}
