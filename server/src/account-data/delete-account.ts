import { deleteUser } from "../accounts/delete-user.ts";
import type { CurrentSession } from "../auth/sessions.ts";
import { requestCancellation } from "../billing/cancellations.ts";
import { transaction } from "../db/transaction.ts";
import { deleteDecisionRules } from "../insights/rules/delete-decision-rules.ts";
import { deleteMail } from "../mail/delete-mail.ts";
import { continueDeletion, type DeletionOptions, requestDeletion } from "./continue-deletions.ts";

/** Within this time a small account is completely deleted. */
const MAX_WAIT_MS = 5_000;

/**
 * Deletes a user and their workspace: first the account, in one transaction, so that nobody can sign in or send traces; then
 * the traces. Returns after a few seconds even if there are traces left: a worker deletes them.
 */
export async function deleteAccount(
  { db, log }: Omit<DeletionOptions, "stopping">,
  { user, workspaceId }: CurrentSession,
): Promise<void> {
  const lease = await transaction(db, async (trx) => {
    const requested = await requestDeletion(trx, workspaceId);
    await requestCancellation(trx, workspaceId);
    await deleteUser(trx, user.id, workspaceId);
    await deleteDecisionRules(trx, workspaceId);
    await deleteMail(trx, user.email);
    return requested;
  });
  if (lease) await continueDeletion({ db, log, stopping: AbortSignal.timeout(MAX_WAIT_MS) }, lease);
}
