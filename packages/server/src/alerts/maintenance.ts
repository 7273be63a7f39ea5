import { randomUUID } from "node:crypto";
import { parseInstant } from "@whytrace/contract";
import { MAX_MAINTENANCE, type Maintenance } from "@whytrace/contract/schemas/alerts/rules";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { lockRules } from "./rules/stored-rule.ts";

const MAX_DAYS = 14;
export const MAINTENANCE_RANGE = `from must be before to, and both at most ${MAX_DAYS} days apart`;
export const MAINTENANCE_IS_OVER = "to must be in the future";
export const MAINTENANCE_LIMIT_REACHED = `Maintenance limit reached (${MAX_MAINTENANCE})`;
export const MAINTENANCE_NOT_FOUND = "Maintenance not found";

const COLUMNS = sql.raw('id, from_at as "from", to_at as "to", note');

/** Those that are not over, the next one first. */
export async function listMaintenance(db: Database, workspaceId: WorkspaceId): Promise<Maintenance[]> {
  const { rows } = await sql<Maintenance>`
    select ${COLUMNS} from alert_maintenance where workspace_id = ${workspaceId} and to_at > now()
    order by from_at, id`.execute(db);
  return rows;
}

/** A time in which rules change their state without a message. */
export function parseMaintenance(body: { from?: unknown; to?: unknown }, nowMs: number) {
  const [from, to] = [body.from, body.to].map((at) =>
    typeof at === "string" ? parseInstant(at) : undefined,
  );
  if (from === undefined || to === undefined || from >= to || to - from > MAX_DAYS * 24 * 3_600_000)
    throw new HttpError(400, MAINTENANCE_RANGE);
  if (to <= nowMs) throw new HttpError(400, MAINTENANCE_IS_OVER);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

export async function addMaintenance(
  trx: Database,
  workspaceId: WorkspaceId,
  { from, to, note }: { from: string; to: string; note: string | null },
  createdBy: string,
): Promise<Maintenance> {
  await lockRules(trx, workspaceId);
  if ((await listMaintenance(trx, workspaceId)).length >= MAX_MAINTENANCE)
    throw new HttpError(409, MAINTENANCE_LIMIT_REACHED);
  const { rows } = await sql<Maintenance>`
    insert into alert_maintenance (workspace_id, id, from_at, to_at, note, created_by)
    values (${workspaceId}, ${randomUUID()}, ${from}, ${to}, ${note}, ${createdBy}) returning ${COLUMNS}`.execute(
    trx,
  );
  const [added] = rows;
  if (!added) throw new Error("The maintenance was not inserted");
  return added;
}

export async function deleteMaintenance(trx: Database, workspaceId: WorkspaceId, id: string): Promise<void> {
  const { rows } = await sql`
    delete from alert_maintenance where workspace_id = ${workspaceId} and id::text = ${id} returning id`.execute(
    trx,
  );
  if (rows.length === 0) throw new HttpError(404, MAINTENANCE_NOT_FOUND);
}
