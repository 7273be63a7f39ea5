import { sql } from "kysely";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import type { MemberSession } from "../workspaces/member-session.ts";
import { makerOnly, requireMaker } from "../workspaces/require-maker.ts";

export const NOT_YOUR_LINK = makerOnly("link", "revoke");

/** Returns false if the workspace has no link with this id. A member revokes only their own; admins and owners all. */
export function revokeShare(
  db: Database,
  { workspaceId, user, role }: MemberSession,
  shareId: string,
  origin: Origin,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    await lockWorkspace(trx, workspaceId);
    const { rows } = await sql<{ id: string; traceId: string; createdBy: string | null }>`
      delete from trace_shares where workspace_id = ${workspaceId} and id::text = ${shareId}
      returning id, trace_id, created_by`.execute(trx);
    const [share] = rows;
    if (!share) return false;
    requireMaker({ createdBy: share.createdBy, user, role }, NOT_YOUR_LINK);
    const target = { kind: "link", id: share.id, name: null };
    const details = { traceId: share.traceId };
    await recordEvent(trx, workspaceId, origin, { action: "link.revoked", target, details });
    return true;
  });
}

/** Revokes all links that a person made. Returns their number. */
export async function revokeSharesOf(trx: Database, userId: UserId): Promise<number> {
  const { rows } = await sql`delete from trace_shares where created_by = ${userId} returning id`.execute(trx);
  return rows.length;
}

const KEPT_DAYS = 30;

/** Expired links stay in their owner's list for a while. */
export async function sweepShares(db: Database): Promise<void> {
  await sql`delete from trace_shares where expires_at <= now() - make_interval(days => ${KEPT_DAYS})`.execute(
    db,
  );
}
