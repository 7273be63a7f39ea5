import type { IncidentList } from "@whytrace/contract/schemas/alerts/rules";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

interface IncidentQuery {
  ruleId?: string | undefined;
  page: number;
  limit: number;
}

const INCIDENT_COLUMNS = sql.raw("id, rule_id, started_at, ended_at, peak, reason");

/** A page of the times in which rules fired, newest first. */
export async function listIncidents(
  db: Database,
  workspaceId: WorkspaceId,
  { ruleId, page, limit }: IncidentQuery,
): Promise<IncidentList> {
  const isAsked = sql`workspace_id = ${workspaceId} and ${
    ruleId === undefined ? sql`true` : sql`rule_id::text = ${ruleId}`
  }`;
  const [{ rows: incidents }, counted] = await Promise.all([
    sql<IncidentList["incidents"][number]>`
      select ${INCIDENT_COLUMNS} from alert_incidents where ${isAsked}
      order by started_at desc, id desc limit ${limit} offset ${(page - 1) * limit}`.execute(db),
    sql<{ count: number }>`select count(*) as count from alert_incidents where ${isAsked}`.execute(db),
  ]);
  const total = counted.rows[0]?.count ?? 0;
  return { incidents, total, page, limit, totalPages: Math.ceil(total / limit) };
}

/** All of a workspace, for the export of its data. */
export async function readAllIncidents(
  db: Database,
  workspaceId: WorkspaceId,
): Promise<IncidentList["incidents"]> {
  const { rows } = await sql<IncidentList["incidents"][number]>`
    select ${INCIDENT_COLUMNS} from alert_incidents where workspace_id = ${workspaceId}
    order by started_at, id`.execute(db);
  return rows;
}
