import { emailAddress, personName } from "@whytrace/contract/schemas/credentials";
import { sql } from "kysely";
import { addPerson } from "../accounts/add-person.ts";
import { hasInvitation } from "../accounts/find-invitation.ts";
import { type AddressProof, proveAddress } from "../accounts/prove-address.ts";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import { readFactors, secondFactorsOf } from "../auth/factors.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { Conflict, transaction } from "../db/transaction.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { findWorkspaceBySlug } from "../workspaces/find-workspace.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { addMembership } from "../workspaces/memberships.ts";
import { recordSignIn } from "../workspaces/record-sign-in.ts";
import { findIdentity, insertIdentity } from "./identities.ts";
import { identityLinkedMail } from "./mails.ts";
import type { IdentityProvider, ProvidedIdentity } from "./provider-client.ts";

/** Why nobody was signed in; the sign-in page says it in words. */
export type Refusal =
  | "expired"
  | "refused"
  | "provider"
  | "unverified-email"
  | "link-needed"
  | "closed"
  | "domain";

interface FindPersonOptions extends AddressProof {
  db: Database;
  config: Pick<Config, "isRegistrationOpen" | "isWorkspaceCreationOpen" | "freeSessionsPerDay" | "publicUrl">;
  /** From where the person signs in. */
  from: Pick<Origin, "ip" | "userAgent">;
}

/**
 * Finds the person of an identity at a provider, links an account to it, or creates one. Who it is depends on issuer and
 * subject alone. The address decides only the first time, and never about an account with a second factor: a provider does
 * not get past it, and whoever gets a used address does not get its predecessor's account.
 */
export function findPerson(
  options: FindPersonOptions,
  provider: IdentityProvider,
  identity: ProvidedIdentity,
): Promise<UserId | Refusal> {
  const { db, config } = options;
  const email = emailAddress.safeParse(identity.email).data;
  const domain = email?.split("@")[1] ?? "";
  if (provider.domains.length > 0 && !provider.domains.includes(domain)) return Promise.resolve("domain");
  return transaction(db, async (trx) => {
    const known = await findIdentity(trx, identity);
    if (known) return known;
    const isVerified = provider.trustEmail === "always" || identity.isEmailVerified;
    if (email === undefined || !isVerified) return "unverified-email";
    const { rows } = await sql<{ id: UserId }>`
      select id from users where email = ${email} for no key update`.execute(trx);
    const [user] = rows;
    if (!user) {
      const isInvited = await hasInvitation(trx, email);
      if (!config.isRegistrationOpen && !provider.canRegister && !isInvited) return "closed";
      return createPerson(trx, options, provider, { ...identity, email, isInvited });
    }
    // The same person may have been linked in another request, which this one has waited for.
    const linked = await findIdentity(trx, identity);
    if (linked) return linked;
    if (provider.trustEmail === "never") return "link-needed";
    // First: an identity or a factor of somebody who never proved the address must not keep its owner out.
    await proveAddress(trx, user.id, options);
    if (await hasIdentityOf(trx, user.id, identity.issuer)) return "link-needed";
    if (secondFactorsOf(await readFactors(trx, user.id)).length > 0) return "link-needed";
    await insertIdentity(trx, user.id, provider.id, { ...identity, email });
    await queueMail(trx, identityLinkedMail(config.publicUrl, email, provider.name));
    const actor = { kind: "user", id: user.id, name: email } as const;
    const act = { action: "identity.linked", details: { provider: provider.id } } as const;
    await recordSignIn(trx, { actor, ...options.from }, act);
    return user.id;
  });
}

async function createPerson(
  trx: Database,
  { config, from }: FindPersonOptions,
  provider: IdentityProvider,
  identity: ProvidedIdentity & { email: string; isInvited: boolean },
): Promise<UserId> {
  const { email, isInvited } = identity;
  const name = personName.safeParse(identity.name).data ?? null;
  const hasWorkspace = config.isWorkspaceCreationOpen && !isInvited && provider.join === undefined;
  const { freeSessionsPerDay } = config;
  const person = { email, name, isVerified: true, hasWorkspace, freeSessionsPerDay, from };
  const userId = await addPerson(trx, person);
  // Somebody has registered the address a moment ago.
  if (!userId) throw new Conflict();
  await insertIdentity(trx, userId, provider.id, identity);
  const actor = { kind: "user", id: userId, name: email } as const;
  if (provider.join) await joinByProvider(trx, provider.join, { actor, ...from }, { userId, email });
  return userId;
}

/**
 * Nobody joins a workspace that was deleted: the person then belongs to none. Who is invited to it accepts the invitation
 * instead, which has a role of its own and could not be accepted by a member.
 */
async function joinByProvider(
  trx: Database,
  { slug, role }: NonNullable<IdentityProvider["join"]>,
  origin: Origin,
  { userId, email }: { userId: UserId; email: string },
): Promise<void> {
  const workspaceId = await findWorkspaceBySlug(trx, slug);
  if (!workspaceId) return;
  await lockWorkspace(trx, workspaceId);
  if (await hasInvitation(trx, email, workspaceId)) return;
  await addMembership(trx, workspaceId, userId, role);
  await recordEvent(trx, workspaceId, origin, {
    action: "member.joined",
    target: { kind: "user", id: userId, name: email },
    details: { by: "provider", role },
  });
}

async function hasIdentityOf(trx: Database, userId: UserId, issuer: string): Promise<boolean> {
  const { rows } = await sql`
    select from user_identities where user_id = ${userId} and issuer = ${issuer}`.execute(trx);
  return rows.length > 0;
}
