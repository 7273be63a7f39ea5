import { sql } from "kysely";
import { type Act, type Origin, recordEvent } from "../audit/record-event.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/**
 * Adds what a person did to sign in to the logs of all their workspaces, in the transaction of the act. Others see from where
 * only in workspaces with rules for sign-ins; the person always does. `userId` is for acts of somebody else, as the operator.
 */
export async function recordSignIn(
  trx: Database,
  origin: Origin,
  act: Act,
  userId: string | null = origin.actor.id,
): Promise<void> {
  // Positions are locked in the order of ids, so that two sign-ins do not deadlock.
  const { rows } = await sql<{ id: WorkspaceId; isStrict: boolean }>`
    select workspaces.id, workspaces.require_second_factor or workspaces.sso_provider is not null as is_strict
    from memberships join workspaces on workspaces.id = memberships.workspace_id
    where memberships.user_id = ${userId} order by workspaces.id`.execute(trx);
  for (const { id, isStrict } of rows) await recordEvent(trx, id, { ...origin, isPrivate: !isStrict }, act);
}
