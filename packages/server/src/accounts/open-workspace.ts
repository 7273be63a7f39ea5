import type { Workspace } from "@whytrace/contract";
import { sql } from "kysely";
import type { Origin } from "../audit/record-event.ts";
import { requireVerified } from "../auth/require-verified.ts";
import type { SessionUser } from "../auth/sessions.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { giveWorkspace } from "./give-workspace.ts";

export const CREATION_CLOSED = "Workspaces are created by the operator of this server.";
export const tooManyOwned = (limit: number | string) => `You own ${limit} workspaces. Delete one first.`;

interface OpenWorkspaceOptions {
  db: Database;
  config: Pick<Config, "isWorkspaceCreationOpen" | "workspacesPerUser" | "freeSessionsPerDay">;
}

/** Creates a further workspace of a user, with its plan. */
export async function openWorkspace(
  { db, config }: OpenWorkspaceOptions,
  user: SessionUser,
  name: string,
  origin: Origin,
): Promise<Workspace> {
  if (!config.isWorkspaceCreationOpen) throw new HttpError(403, CREATION_CLOSED);
  requireVerified(user);
  return transaction(db, async (trx) => {
    // Serializes the creations of one user, so that concurrent requests cannot exceed the limit.
    await sql`select id from users where id = ${user.id} for no key update`.execute(trx);
    const { rows } = await sql<{ owned: number }>`
      select count(*)::integer as owned from memberships where user_id = ${user.id} and role = 'owner'`.execute(
      trx,
    );
    if ((rows[0]?.owned ?? 0) >= config.workspacesPerUser)
      throw new HttpError(409, tooManyOwned(config.workspacesPerUser));
    return giveWorkspace(trx, user, { name, origin, freeSessionsPerDay: config.freeSessionsPerDay });
  });
}
