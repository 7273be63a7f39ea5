import type { JoinedWorkspace } from "@whytrace/contract";
import type { JoinableWorkspace } from "@whytrace/contract/schemas/workspaces/domains";
import { type RawBuilder, sql } from "kysely";
import { type Origin, recordEvent } from "../../audit/record-event.ts";
import type { SessionUser } from "../../auth/sessions.ts";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { HttpError } from "../../http/http-error.ts";
import { lockWorkspace } from "../../workspaces/lock-workspace.ts";
import { addMembership } from "../../workspaces/memberships.ts";
import { WORKSPACE_NOT_FOUND } from "../../workspaces/require-member.ts";

type Joinable = JoinableWorkspace & { id: WorkspaceId; slug: string };

/** Exactly this domain: a subdomain may belong to somebody else. */
const domainOf = ({ email }: SessionUser) => email.slice(email.lastIndexOf("@") + 1);

/** The workspaces that a person may join because of their verified address, without those that they belong to. */
export const listJoinable = (db: Database, user: SessionUser) => findJoinable(db, user, sql`true`);

async function findJoinable(
  db: Database,
  user: SessionUser,
  condition: RawBuilder<unknown>,
): Promise<Joinable[]> {
  if (!user.isEmailVerified) return [];
  const { rows } = await sql<Joinable>`
    select workspaces.id, workspaces.slug, workspaces.name, workspace_domains.role
    from workspace_domains join workspaces on workspaces.id = workspace_domains.workspace_id
    where workspace_domains.domain = ${domainOf(user)} and workspace_domains.verified_at is not null and ${condition}
      and not exists (
        select from memberships
        where memberships.user_id = ${user.id} and memberships.workspace_id = workspaces.id)
    order by workspaces.name, workspaces.id limit 100`.execute(db);
  return rows;
}

export async function joinByDomain(
  db: Database,
  user: SessionUser,
  id: string,
  origin: Origin,
): Promise<JoinedWorkspace["workspace"]> {
  const isWanted = sql`workspaces.id::text = ${id}`;
  const [found] = await findJoinable(db, user, isWanted);
  if (!found) throw new HttpError(404, WORKSPACE_NOT_FOUND);
  return transaction(db, async (trx) => {
    await lockWorkspace(trx, found.id);
    // The domain may have been removed meanwhile.
    const [joinable] = await findJoinable(trx, user, isWanted);
    if (!joinable) throw new HttpError(404, WORKSPACE_NOT_FOUND);
    await addMembership(trx, joinable.id, user.id, joinable.role);
    await recordEvent(trx, joinable.id, origin, {
      action: "member.joined",
      target: { kind: "user", id: user.id, name: user.email },
      details: { by: "domain", role: joinable.role },
    });
    return joinable;
  });
}
