import { OPERATOR } from "../audit/record-event.ts";
import type { Passwords } from "../auth/passwords.ts";
import { randomToken } from "../auth/random-token.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { addPerson, type NewPerson } from "./add-person.ts";

/**
 * Creates an account for the operator, with a verified address and a random password: the user signs in with a link or
 * resets the password. Returns false for an existing account, which is left unchanged.
 */
export async function addUser(
  db: Database,
  passwords: Passwords,
  account: Pick<NewPerson, "email" | "name" | "freeSessionsPerDay">,
): Promise<boolean> {
  const passwordHash = await passwords.hash(randomToken());
  const person = { ...account, passwordHash, isVerified: true, hasWorkspace: true, from: OPERATOR };
  return transaction(db, async (trx) => (await addPerson(trx, person)) !== undefined);
}
