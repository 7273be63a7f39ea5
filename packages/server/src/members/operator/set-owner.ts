import { sql } from "kysely";
import { OPERATOR, recordEvent } from "../../audit/record-event.ts";
import type { UserId } from "../../auth/user-id.ts";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import { findWorkspaceBySlug } from "../../workspaces/find-workspace.ts";
import { lockWorkspace, readRole } from "../../workspaces/lock-workspace.ts";
import { addMembership, setRole } from "../../workspaces/memberships.ts";

/** For a workspace whose only owner is gone. Says what does not exist. */
export function setOwner(
  db: Database,
  slug: string,
  email: string,
): Promise<"done" | "no workspace" | "no user"> {
  return transaction(db, async (trx) => {
    const workspaceId = await findWorkspaceBySlug(trx, slug);
    if (!workspaceId) return "no workspace";
    const { rows } = await sql<{ id: UserId; email: string }>`
      select id, email from users where email = ${email.toLowerCase()}`.execute(trx);
    const [user] = rows;
    if (!user) return "no user";
    await lockWorkspace(trx, workspaceId);
    const role = await readRole(trx, workspaceId, user.id);
    if (role === "owner") return "done";
    const target = { kind: "user", id: user.id, name: user.email };
    if (role === undefined) {
      await addMembership(trx, workspaceId, user.id, "owner");
      const details = { by: "operator", role: "owner" };
      await recordEvent(trx, workspaceId, OPERATOR, { action: "member.joined", target, details });
    } else {
      await setRole(trx, workspaceId, user.id, "owner");
      const details = { from: role, to: "owner" };
      await recordEvent(trx, workspaceId, OPERATOR, { action: "member.role-changed", target, details });
    }
    return "done";
  });
}
