import { sql } from "kysely";
import { type CurrentSession, lockSession } from "../auth/sessions.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { deleteTokens, EMAIL_VERIFICATION } from "./tokens.ts";

/** Ends what somebody set up with an account before its address was proved. Returns how much of each kind, by table. */
export type TakeBack = (trx: Database, userId: UserId) => Promise<ReadonlyMap<string, number>>;

export interface AddressProof {
  /** The session of the browser in which the proof is given, of this account or of another one. */
  session: CurrentSession | undefined;
  takeBack: TakeBack;
}

/**
 * Records that a person has proved that the address of an account is theirs: with a mailed link, a provider or the operator. If
 * it was not proved before, somebody else may have registered it. Only a session of the account in the same browser shows that
 * it was the same person; without one, everything is taken back that opens the account or sends from it, the password too.
 * Returns what was taken back; undefined if nothing had to be. Every proof of an address goes through here.
 */
export async function proveAddress(
  trx: Database,
  userId: UserId,
  { session, takeBack }: AddressProof,
): Promise<ReadonlyMap<string, number> | undefined> {
  // Whoever adds a factor or an identity locks this row first.
  const { rows } = await sql`
    update users set email_verified_at = now() where id = ${userId} and email_verified_at is null
    returning id`.execute(trx);
  if (rows.length === 0) return undefined;
  await deleteTokens(trx, EMAIL_VERIFICATION, userId);
  const isRegistrant = session?.user.id === userId && (await lockSession(trx, session.id));
  return isRegistrant ? undefined : takeBack(trx, userId);
}

/** The password of the account ends: the person chooses one by a mailed link. */
export async function endPassword(trx: Database, userId: UserId): Promise<number> {
  const { rows } = await sql`
    update users set password_hash = null where id = ${userId} and password_hash is not null returning id`.execute(
    trx,
  );
  return rows.length;
}
