import { sql } from "kysely";
import type { Passwords } from "../auth/passwords.ts";
import { randomToken } from "../auth/random-token.ts";
import type { UserId } from "../auth/user-id.ts";
import { createSubscription } from "../billing/create-subscription.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";

/**
 * Creates an account for the operator, with a verified address and a random password: the user signs in with a link or
 * resets the password. An existing account is left unchanged.
 */
export async function addUser(
  db: Database,
  passwords: Passwords,
  { email, name, freeSessionsPerDay }: { email: string; name: string; freeSessionsPerDay: number },
): Promise<void> {
  const passwordHash = await passwords.hash(randomToken());
  await transaction(db, async (trx) => {
    const { rows } = await sql<{ id: UserId }>`
      insert into users (email, name, password_hash, email_verified_at)
      values (${email}, ${name}, ${passwordHash}, now())
      on conflict (email) do nothing returning id`.execute(trx);
    for (const { id } of rows)
      await createSubscription(trx, await createWorkspace(trx, id), freeSessionsPerDay);
  });
}
