import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Returns false if the user has no link with this id, also if another user has it. */
export async function revokeShare(db: Database, workspaceId: WorkspaceId, shareId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from trace_shares where workspace_id = ${workspaceId} and id::text = ${shareId} returning id`.execute(
    db,
  );
  return rows.length > 0;
}

const KEPT_DAYS = 30;

/** Expired links stay in their owner's list for a while. */
export async function sweepShares(db: Database): Promise<void> {
  await sql`delete from trace_shares where expires_at <= now() - make_interval(days => ${KEPT_DAYS})`.execute(
    db,
  );
}
