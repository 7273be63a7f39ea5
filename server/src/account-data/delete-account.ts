import type { User } from "@whytrace/contract";
import { sql } from "kysely";
import { deleteUser } from "../accounts/delete-user.ts";
import { requestCancellation } from "../billing/cancellations.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { deleteMail } from "../mail/delete-mail.ts";
import { deleteAllTraces } from "../trace-store/delete-all-traces.ts";

/**
 * Deletes all data of a user: first the account, in one transaction, so that nobody can sign in or send traces; then
 * the traces, in batches. If this process dies, the row in account_deletions lets another process finish.
 */
export async function deleteAccount(db: Database, { id, email }: User): Promise<void> {
  await transaction(db, async (trx) => {
    await sql`insert into account_deletions (user_id) values (${id}) on conflict do nothing`.execute(trx);
    await requestCancellation(trx, id);
    await deleteUser(trx, id);
    await deleteMail(trx, email);
  });
  await finishDeletion(db, id);
}

/** Finishes deletions that another process started more than a minute ago and did not complete. */
export async function finishDeletions(db: Database): Promise<void> {
  const { rows } = await sql<{ userId: string }>`
    select user_id from account_deletions where requested_at < now() - interval '1 minute'`.execute(db);
  for (const { userId } of rows) await finishDeletion(db, userId);
}

async function finishDeletion(db: Database, userId: string): Promise<void> {
  await deleteAllTraces(db, userId);
  await sql`delete from account_deletions where user_id = ${userId}`.execute(db);
}
