import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { directoryOf } from "../../db/sharding.ts";
import { transaction } from "../../db/transaction.ts";
import { HttpError } from "../../http/http-error.ts";

const MAX_SET_ASIDE = 1_000;
export const TOO_MANY_ASIDE = `You can set aside at most ${MAX_SET_ASIDE} decisions.`;
export const NOT_ASIDE = "This decision is not set aside";

/** The signatures that a user set aside. */
export async function listSetAside(db: Database, userId: string): Promise<Set<number>> {
  const { rows } = await sql<{ signature: number }>`
    select signature from decisions_set_aside where user_id = ${userId}`.execute(db);
  return new Set(rows.map(({ signature }) => signature));
}

export function setAside(db: Database, userId: string, signature: number): Promise<void> {
  return transaction(directoryOf(db), async (trx) => {
    // An account that is being deleted gets no new rows.
    const { rows: users } = await sql`select id from users where id = ${userId} for key share`.execute(trx);
    if (users.length === 0) return;
    // Serializes a user's changes, so that concurrent requests cannot exceed the limit.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`set-aside ${userId}`}, 0))`.execute(trx);
    const { rows: counted } = await sql<{ count: number }>`
      select count(*) as count from decisions_set_aside
      where user_id = ${userId} and signature <> ${signature}`.execute(trx);
    if ((counted[0]?.count ?? 0) >= MAX_SET_ASIDE) throw new HttpError(400, TOO_MANY_ASIDE);
    await sql`
      insert into decisions_set_aside (user_id, signature) values (${userId}, ${signature})
      on conflict do nothing`.execute(trx);
  });
}

/** Deletes all that a user set aside, with the account. */
export async function deleteSetAside(db: Database, userId: string): Promise<void> {
  await sql`delete from decisions_set_aside where user_id = ${userId}`.execute(db);
}

/** Returns false if the decision was not set aside. */
export async function endSetAside(db: Database, userId: string, signature: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from decisions_set_aside where user_id = ${userId} and signature = ${signature}`.execute(db);
  return numAffectedRows > 0n;
}
