import type { Origin } from "../audit/record-event.ts";
import { createSession, type NewSession, readUser, type SessionUser } from "../auth/sessions.ts";
import type { Database } from "../db/database.ts";
import { recordSignIn } from "./record-sign-in.ts";

export interface SignedIn {
  user: SessionUser;
  /** Of the session. */
  token: string;
}

/**
 * Creates a session, and says so in the audit logs of the person's workspaces: both or neither. Undefined if the password has
 * changed since it was verified, or if the account is deleted.
 */
export async function signIn(
  trx: Database,
  session: Omit<NewSession, "userAgent">,
  { method, ip, userAgent }: Pick<Origin, "ip" | "userAgent"> & { method: string },
): Promise<SignedIn | undefined> {
  const token = await createSession(trx, { ...session, userAgent: userAgent ?? undefined });
  const user = token && (await readUser(trx, session.userId));
  if (!user) return undefined;
  const actor = { kind: "user", id: user.id, name: user.email } as const;
  const act = { action: "sign-in.succeeded", details: { method } } as const;
  await recordSignIn(trx, { actor, ip, userAgent }, act);
  return { user, token };
}
