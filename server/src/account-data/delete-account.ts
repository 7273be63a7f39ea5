import type { User } from "@whytrace/contract";
import { deleteUser } from "../accounts/delete-user.ts";
import { requestCancellation } from "../billing/cancellations.ts";
import { transaction } from "../db/transaction.ts";
import { deleteDecisionRules } from "../insights/rules/delete-decision-rules.ts";
import { deleteMail } from "../mail/delete-mail.ts";
import { continueDeletion, type DeletionOptions, requestDeletion } from "./continue-deletions.ts";

/** Within this time a small account is completely deleted. */
const MAX_WAIT_MS = 5_000;

/**
 * Deletes all data of a user: first the account, in one transaction, so that nobody can sign in or send traces; then
 * the traces. Returns after a few seconds even if there are traces left: a worker deletes them.
 */
export async function deleteAccount(
  { db, log }: Omit<DeletionOptions, "stopping">,
  { id, email }: User,
): Promise<void> {
  const lease = await transaction(db, async (trx) => {
    const requested = await requestDeletion(trx, id);
    await requestCancellation(trx, id);
    await deleteUser(trx, id);
    await deleteDecisionRules(trx, id);
    await deleteMail(trx, email);
    return requested;
  });
  if (lease) await continueDeletion({ db, log, stopping: AbortSignal.timeout(MAX_WAIT_MS) }, lease);
}
