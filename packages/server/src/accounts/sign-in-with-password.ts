import type { SecondFactorMethod } from "@whytrace/contract";
import { emailAddress } from "@whytrace/contract/schemas/credentials";
import { sql } from "kysely";
import type { Origin } from "../audit/record-event.ts";
import { readFactors, secondFactorsOf } from "../auth/factors.ts";
import type { Passwords } from "../auth/passwords.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { startStep } from "../second-factor/sign-in-steps.ts";
import { type SignedIn, signIn } from "../workspaces/sign-in.ts";

interface Credentials extends Pick<Origin, "ip" | "userAgent"> {
  email: string;
  password: string;
}

/** A new session, or the token for the second step if the person has a second factor. */
type PasswordSignIn = SignedIn | { secondFactor: { token: string; methods: SecondFactorMethod[] } };

const INVALID = "Invalid email or password";

/**
 * Verifies the password, and creates a session if the person has no second factor. An unknown address fails with the same
 * error after the same time.
 */
export async function signInWithPassword(
  db: Database,
  passwords: Passwords,
  { email, password, ...place }: Credentials,
): Promise<PasswordSignIn> {
  const { rows } = await sql<{ id: UserId; passwordHash: string | null }>`
    select id, password_hash from users where email = ${emailAddress.safeParse(email).data ?? null}`.execute(
    db,
  );
  const [row] = rows;
  const passwordHash = row?.passwordHash ?? undefined;
  const isCorrect = await passwords.verify(passwordHash, password);
  if (!row || passwordHash === undefined || !isCorrect) throw new HttpError(401, INVALID);
  const userId = row.id;
  const methods = secondFactorsOf(await readFactors(db, userId));
  if (methods.length > 0) {
    const token = await startStep(db, userId, passwordHash);
    if (token !== undefined) return { secondFactor: { token, methods } };
  } else {
    const session = { userId, passwordHash, methods: ["password"] };
    const signedIn = await transaction(db, (trx) => signIn(trx, session, { method: "password", ...place }));
    if (signedIn) return signedIn;
  }
  throw new HttpError(401, INVALID);
}
