import { randomBytes } from "node:crypto";
import { type Domain, MAX_DOMAINS } from "@whytrace/contract";
import { sql } from "kysely";
import { type Origin, recordEvent } from "../../audit/record-event.ts";
import { requireVerified } from "../../auth/require-verified.ts";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { HttpError } from "../../http/http-error.ts";
import { lockMember } from "../../workspaces/lock-workspace.ts";
import type { MemberSession } from "../../workspaces/member-session.ts";
import { findRecord, recordOf } from "./find-record.ts";

export const DOMAIN_NOT_FOUND = "Domain not found";
export const RECORD_NOT_FOUND = "The record was not found yet.";
export const TOO_MANY_DOMAINS = `Domain limit reached (${MAX_DOMAINS})`;
export const domainExists = (domain: string) => `${domain} is added already.`;

interface StoredDomain extends Omit<Domain, "record"> {
  token: string;
}

const COLUMNS = sql.raw("id, domain, role, token, verified_at");

const describe = ({ token, ...stored }: StoredDomain): Domain => ({
  ...stored,
  record: recordOf({ domain: stored.domain, token }),
});

export async function listDomains(db: Database, workspaceId: WorkspaceId): Promise<Domain[]> {
  const { rows } = await sql<StoredDomain>`
    select ${COLUMNS} from workspace_domains where workspace_id = ${workspaceId} order by domain`.execute(db);
  return rows.map(describe);
}

/** Adds a domain, which counts when its record was found. Several workspaces may have the same one. */
export function addDomain(
  db: Database,
  { workspaceId, user }: MemberSession,
  { domain, role }: Pick<Domain, "domain" | "role">,
  origin: Origin,
): Promise<Domain> {
  return transaction(db, async (trx) => {
    // Otherwise somebody could let others into a workspace that its owner takes over later.
    requireVerified(user);
    await lockMember(trx, { workspaceId, userId: user.id, needed: "owner" });
    const known = await listDomains(trx, workspaceId);
    if (known.some((one) => one.domain === domain)) throw new HttpError(409, domainExists(domain));
    if (known.length >= MAX_DOMAINS) throw new HttpError(409, TOO_MANY_DOMAINS);
    const { rows } = await sql<StoredDomain>`
      insert into workspace_domains (workspace_id, domain, role, token)
      values (${workspaceId}, ${domain}, ${role}, ${randomBytes(16).toString("hex")})
      returning ${COLUMNS}`.execute(trx);
    const [added] = rows;
    if (!added) throw new Error("The domain was not added");
    const target = targetOf(added);
    await recordEvent(trx, workspaceId, origin, { action: "domain.added", target, details: { role } });
    return describe(added);
  });
}

/** Asks name servers for the record; throws 409 if they do not have it. */
export async function checkDomain(
  { db, dnsServers }: { db: Database; dnsServers: readonly string[] },
  { workspaceId, user }: MemberSession,
  id: string,
  origin: Origin,
): Promise<Domain> {
  const { rows } = await sql<StoredDomain>`
    select ${COLUMNS} from workspace_domains where workspace_id = ${workspaceId} and id::text = ${id}`.execute(
    db,
  );
  const [stored] = rows;
  if (!stored) throw new HttpError(404, DOMAIN_NOT_FOUND);
  if (!(await findRecord(stored, dnsServers))) throw new HttpError(409, RECORD_NOT_FOUND);
  return transaction(db, async (trx) => {
    await lockMember(trx, { workspaceId, userId: user.id, needed: "owner" });
    const { rows: verified } = await sql<StoredDomain>`
      update workspace_domains set checked_at = now(), misses = 0,
        verified_at = coalesce(verified_at, date_trunc('milliseconds', now()))
      where workspace_id = ${workspaceId} and id = ${stored.id}
      returning ${COLUMNS}`.execute(trx);
    const [domain] = verified;
    if (!domain) throw new HttpError(404, DOMAIN_NOT_FOUND);
    if (stored.verifiedAt === null)
      await recordEvent(trx, workspaceId, origin, { action: "domain.verified", target: targetOf(domain) });
    return describe(domain);
  });
}

/** Nobody joins by the domain any more; who has joined stays. */
export function removeDomain(
  db: Database,
  { workspaceId, user }: MemberSession,
  id: string,
  origin: Origin,
): Promise<void> {
  return transaction(db, async (trx) => {
    await lockMember(trx, { workspaceId, userId: user.id, needed: "owner" });
    const { rows } = await sql<StoredDomain>`
      delete from workspace_domains where workspace_id = ${workspaceId} and id::text = ${id}
      returning ${COLUMNS}`.execute(trx);
    const [removed] = rows;
    if (!removed) throw new HttpError(404, DOMAIN_NOT_FOUND);
    await recordEvent(trx, workspaceId, origin, { action: "domain.removed", target: targetOf(removed) });
  });
}

const targetOf = ({ id, domain }: StoredDomain) => ({ kind: "domain", id, name: domain });
