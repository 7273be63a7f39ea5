import { sql } from "kysely";
import type { Passwords } from "../auth/passwords.ts";
import { randomToken } from "../auth/random-token.ts";
import { createSubscription } from "../billing/create-subscription.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";

/**
 * The operator's way to make an account: the address counts as proven, and nobody knows its password, so that one
 * comes in by a sign-in link or by choosing one. Whoever is there already stays as they are.
 */
export async function addUser(
  db: Database,
  passwords: Passwords,
  { email, name, freeSessionsPerDay }: { email: string; name: string; freeSessionsPerDay: number },
): Promise<void> {
  const passwordHash = await passwords.hash(randomToken());
  await transaction(db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      insert into users (email, name, password_hash, email_verified_at)
      values (${email}, ${name}, ${passwordHash}, now())
      on conflict (email) do nothing returning id`.execute(trx);
    for (const { id } of rows) await createSubscription(trx, id, freeSessionsPerDay);
  });
}
