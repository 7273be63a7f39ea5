import type { User } from "@whytrace/contract";
import { sql } from "kysely";
import { deleteUser } from "../accounts/delete-user.ts";
import { requestCancellation } from "../billing/cancellations.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { dropMail } from "../mail/drop-mail.ts";
import { deleteAllTraces } from "../trace-store/delete-all-traces.ts";

/**
 * Removes everything of a user. First, at once, the account: from then on nobody signs in or sends with it. Then the
 * traces, in pieces; should this process die on the way, another one goes on from the note left in the first step.
 */
export async function deleteAccount(db: Database, { id, email }: User): Promise<void> {
  await transaction(db, async (trx) => {
    await sql`insert into account_deletions (user_id) values (${id}) on conflict do nothing`.execute(trx);
    await requestCancellation(trx, id);
    await deleteUser(trx, id);
    await dropMail(trx, email);
  });
  await finishDeletion(db, id);
}

/** Goes on with deletions that were cut off a while ago. */
export async function finishDeletions(db: Database): Promise<void> {
  const { rows } = await sql<{ userId: string }>`
    select user_id from account_deletions where requested_at < now() - interval '1 minute'`.execute(db);
  for (const { userId } of rows) await finishDeletion(db, userId);
}

async function finishDeletion(db: Database, userId: string): Promise<void> {
  await deleteAllTraces(db, userId);
  await sql`delete from account_deletions where user_id = ${userId}`.execute(db);
}
