import { sql } from "kysely";
import { createSession } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { consumeToken, issueToken, SIGN_IN } from "./tokens.ts";

export const SIGN_IN_LINK_PATH = "/login/link";

/**
 * A link that signs in once, within ten minutes; undefined when nobody has the address. No route makes one: only
 * who can reach the database can, and they could as well have written a session there.
 */
export async function issueSignInLink(
  db: Database,
  publicUrl: string,
  email: string,
): Promise<string | undefined> {
  return transaction(db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select id from users where email = ${email.toLowerCase()}`.execute(trx);
    const [user] = rows;
    if (!user) return undefined;
    const token = await issueToken(trx, SIGN_IN, user.id);
    return `${publicUrl}${SIGN_IN_LINK_PATH}?token=${token}`;
  });
}

/** Uses a link up and opens a session; undefined when it was used before, is too old or never was. */
export async function useSignInLink(
  db: Database,
  token: string,
  userAgent: string | undefined,
): Promise<string | undefined> {
  return transaction(db, async (trx) => {
    const userId = await consumeToken(trx, SIGN_IN, token);
    if (!userId) return undefined;
    const { rows } = await sql<{ passwordHash: string }>`
      select password_hash from users where id = ${userId}`.execute(trx);
    const [user] = rows;
    return user && createSession(trx, { userId, passwordHash: user.passwordHash, userAgent });
  });
}
