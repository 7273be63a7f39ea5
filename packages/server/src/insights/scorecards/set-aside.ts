import type { CreatedBy } from "@whytrace/contract/schemas/workspaces/workspaces";
import { sql } from "kysely";
import { describeMakers } from "../../auth/created-by.ts";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { HttpError } from "../../http/http-error.ts";

const MAX_SET_ASIDE = 1_000;
export const TOO_MANY_ASIDE = `You can set aside at most ${MAX_SET_ASIDE} decisions.`;
export const NOT_ASIDE = "This decision is not set aside";

/** The signatures that a workspace set aside. */
export async function listSetAside(db: Database, workspaceId: WorkspaceId): Promise<Set<number>> {
  const { rows } = await sql<{ signature: number }>`
    select signature from decisions_set_aside where workspace_id = ${workspaceId}`.execute(db);
  return new Set(rows.map(({ signature }) => signature));
}

/** The signatures that a workspace set aside, each with who did. */
export async function readSetAside(db: Database, workspaceId: WorkspaceId): Promise<Map<number, CreatedBy>> {
  const { rows } = await sql<{ signature: number; createdBy: string | null }>`
    select signature, created_by from decisions_set_aside where workspace_id = ${workspaceId}`.execute(db);
  const described = await describeMakers(db.directory, rows);
  return new Map(described.map(({ signature, createdBy }) => [signature, createdBy]));
}

export function setAside(
  db: Database,
  workspaceId: WorkspaceId,
  signature: number,
  createdBy: string | null,
): Promise<void> {
  return transaction(db.directory, async (trx) => {
    // An account that is being deleted gets no new rows.
    const { rows: workspaces } =
      await sql`select id from workspaces where id = ${workspaceId} for key share`.execute(trx);
    if (workspaces.length === 0) return;
    // Serializes a workspace's changes, so that concurrent requests cannot exceed the limit.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`set-aside ${workspaceId}`}, 0))`.execute(trx);
    const { rows: counted } = await sql<{ count: number }>`
      select count(*) as count from decisions_set_aside
      where workspace_id = ${workspaceId} and signature <> ${signature}`.execute(trx);
    if ((counted[0]?.count ?? 0) >= MAX_SET_ASIDE) throw new HttpError(400, TOO_MANY_ASIDE);
    await sql`
      insert into decisions_set_aside (workspace_id, signature, created_by)
      values (${workspaceId}, ${signature}, ${createdBy})
      on conflict do nothing`.execute(trx);
  });
}

/** Deletes all that a workspace set aside, with the account. */
export async function deleteSetAside(db: Database, workspaceId: WorkspaceId): Promise<void> {
  await sql`delete from decisions_set_aside where workspace_id = ${workspaceId}`.execute(db);
}

/** Returns false if the decision was not set aside. */
export async function endSetAside(
  db: Database,
  workspaceId: WorkspaceId,
  signature: number,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from decisions_set_aside where workspace_id = ${workspaceId} and signature = ${signature}`.execute(
    db,
  );
  return numAffectedRows > 0n;
}
