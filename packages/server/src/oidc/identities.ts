import type { Identity } from "@whytrace/contract";
import { sql } from "kysely";
import type { Origin } from "../audit/record-event.ts";
import { readFactors } from "../auth/factors.ts";
import { lockConfirmed } from "../auth/require-confirmed.ts";
import type { CurrentSession } from "../auth/sessions.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { Conflict, transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { recordSignIn } from "../workspaces/record-sign-in.ts";
import type { ProvidedIdentity } from "./provider-client.ts";

export const ONLY_WAY = "This is your only way to sign in.";
export const NO_IDENTITY = "Identity not found";

type Key = Pick<ProvidedIdentity, "issuer" | "subject">;

/** Whose identity it is. */
export async function findIdentity(db: Database, { issuer, subject }: Key): Promise<UserId | undefined> {
  const { rows } = await sql<{ userId: UserId }>`
    update user_identities set last_used_at = now() where issuer = ${issuer} and subject = ${subject}
    returning user_id`.execute(db);
  return rows[0]?.userId;
}

export async function insertIdentity(
  trx: Database,
  userId: UserId,
  provider: string,
  { issuer, subject, email }: ProvidedIdentity,
): Promise<void> {
  const { rows } = await sql`
    insert into user_identities (issuer, subject, user_id, provider, email, last_used_at)
    values (${issuer}, ${subject}, ${userId}, ${provider}, ${email?.slice(0, 254) ?? null}, now())
    on conflict do nothing returning user_id`.execute(trx);
  if (rows.length === 0) throw new Conflict();
}

/** Links an identity to the person who is signed in. Returns false if it, or another one of the provider, is linked already. */
export function linkIdentity(
  db: Database,
  session: CurrentSession,
  origin: Origin,
  provider: string,
  identity: ProvidedIdentity,
): Promise<boolean> {
  const userId = session.user.id;
  return transaction(db, async (trx) => {
    await lockPerson(trx, userId);
    await lockConfirmed(trx, session);
    const { rows } = await sql`
      select from user_identities where (issuer = ${identity.issuer} and subject = ${identity.subject})
        or (user_id = ${userId} and issuer = ${identity.issuer})`.execute(trx);
    if (rows.length > 0) return false;
    await insertIdentity(trx, userId, provider, identity);
    await recordSignIn(trx, origin, { action: "identity.linked", details: { provider } });
    return true;
  });
}

export async function listIdentities(
  db: Database,
  { providers }: Pick<Config, "providers">,
  userId: UserId,
): Promise<Identity[]> {
  const { rows } = await sql<Omit<Identity, "name" | "canConfirm">>`
    select id, provider, email, created_at, last_used_at from user_identities where user_id = ${userId}
    order by created_at, id`.execute(db);
  return rows.map((row) => {
    const provider = providers.find(({ id }) => id === row.provider);
    // GitHub does not say when somebody signed in.
    return { ...row, name: provider?.name ?? row.provider, canConfirm: provider?.kind === "oidc" };
  });
}

/** Unlinks an identity, unless the person could not sign in any more. */
export function unlinkIdentity(
  db: Database,
  { hasPasswords }: Pick<Config, "hasPasswords">,
  origin: Origin,
  { userId, id }: { userId: UserId; id: string },
): Promise<void> {
  return transaction(db, async (trx) => {
    await lockPerson(trx, userId);
    const { rows } = await sql<{ isThis: boolean; provider: string }>`
      select id::text = ${id} as is_this, provider from user_identities where user_id = ${userId}`.execute(
      trx,
    );
    const unlinked = rows.find(({ isThis }) => isThis);
    if (!unlinked) throw new HttpError(404, NO_IDENTITY);
    const { hasPassword, hasPasskey } = await readFactors(trx, userId);
    if (rows.length === 1 && !(hasPassword && hasPasswords) && !hasPasskey)
      throw new HttpError(409, ONLY_WAY);
    await sql`delete from user_identities where user_id = ${userId} and id::text = ${id}`.execute(trx);
    const details = { provider: unlinked.provider };
    await recordSignIn(trx, origin, { action: "identity.unlinked", details });
  });
}

/** For the owner of an address that somebody registered without proving it. */
export async function unlinkAll(trx: Database, userId: UserId): Promise<number> {
  const { rows } = await sql`
    delete from user_identities where user_id = ${userId} returning id`.execute(trx);
  return rows.length;
}

/** Two identities that are unlinked at once must not both be the last but one. */
async function lockPerson(trx: Database, userId: UserId): Promise<void> {
  await sql`select from users where id = ${userId} for no key update`.execute(trx);
}
