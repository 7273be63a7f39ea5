import type { Retention } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { type RetentionLimits, readRetention } from "./retention.ts";

/** Sets for how many days the user's traces are kept; null: as long as plan and installation allow. */
export async function chooseRetention(
  db: Database,
  workspaceId: WorkspaceId,
  limits: RetentionLimits,
  days: number | null,
): Promise<Retention> {
  const { maxDays } = await readRetention(db, workspaceId, limits);
  if (days !== null && maxDays !== null && days > maxDays)
    throw new HttpError(400, `days: must be at most ${maxDays}, the limit of your plan`);
  await sql`update subscriptions set retention_days = ${days} where workspace_id = ${workspaceId}`.execute(
    db,
  );
  return readRetention(db, workspaceId, limits);
}
