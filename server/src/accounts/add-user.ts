import { sql } from "kysely";
import { OPERATOR } from "../audit/record-event.ts";
import type { Passwords } from "../auth/passwords.ts";
import { randomToken } from "../auth/random-token.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { giveWorkspace } from "./give-workspace.ts";

/**
 * Creates an account for the operator, with a verified address and a random password: the user signs in with a link or
 * resets the password. Returns false for an existing account, which is left unchanged.
 */
export async function addUser(
  db: Database,
  passwords: Passwords,
  { email, name, freeSessionsPerDay }: { email: string; name: string; freeSessionsPerDay: number },
): Promise<boolean> {
  const passwordHash = await passwords.hash(randomToken());
  return transaction(db, async (trx) => {
    const { rows } = await sql<{ id: UserId }>`
      insert into users (email, name, password_hash, email_verified_at)
      values (${email}, ${name}, ${passwordHash}, now())
      on conflict (email) do nothing returning id`.execute(trx);
    for (const { id } of rows)
      await giveWorkspace(trx, { id, email, name }, { origin: OPERATOR, freeSessionsPerDay });
    return rows.length > 0;
  });
}
