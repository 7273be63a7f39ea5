import { sql } from "kysely";
import type { Origin } from "../audit/record-event.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { type SignedIn, signIn } from "../workspaces/sign-in.ts";
import { type AddressProof, proveAddress } from "./prove-address.ts";
import { consumeToken, issueToken, PASSWORD_RESET, SIGN_IN } from "./tokens.ts";

export const SIGN_IN_LINK_PATH = "/login/link";

/** Links that the operator can create. */
const LINKS = {
  signIn: { kind: SIGN_IN, path: SIGN_IN_LINK_PATH },
  reset: { kind: PASSWORD_RESET, path: "/reset-password" },
} as const;

/**
 * Creates a single-use link; returns undefined if no user has the address. No route returns one: it takes database
 * access, which would allow inserting a session as well.
 */
export async function issueLink(
  db: Database,
  publicUrl: string,
  email: string,
  link: keyof typeof LINKS,
): Promise<string | undefined> {
  const { kind, path } = LINKS[link];
  return transaction(db, async (trx) => {
    const { rows } = await sql<{ id: UserId }>`
      select id from users where email = ${email.toLowerCase()}`.execute(trx);
    const [user] = rows;
    if (!user) return undefined;
    const token = await issueToken(trx, kind, user.id);
    return `${publicUrl}${path}?token=${token}`;
  });
}

/**
 * Consumes the token and creates a session; returns undefined if the token is unknown, used or expired. The operator vouches for
 * the person to whom the link was given, so it proves the address.
 */
export async function useSignInLink(
  db: Database,
  token: string,
  place: Pick<Origin, "ip" | "userAgent">,
  proof: AddressProof,
): Promise<SignedIn | undefined> {
  return transaction(db, async (trx) => {
    const userId = await consumeToken(trx, SIGN_IN, token);
    if (!userId) return undefined;
    await proveAddress(trx, userId, proof);
    return signIn(trx, { userId, methods: ["operator"] }, { method: "operator", ...place });
  });
}
