import type { ApiKey } from "@whytrace/contract";
import { sql } from "kysely";
import { createdByColumn } from "../auth/created-by.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

export async function listApiKeys(db: Database, workspaceId: WorkspaceId): Promise<ApiKey[]> {
  const { rows } = await sql<ApiKey>`
    select id, name, prefix, scope, created_at, expires_at, coalesce(expires_at <= now(), false) as is_expired, last_used_at,
      ${createdByColumn("api_keys.created_by")}
    from api_keys
    where workspace_id = ${workspaceId} order by created_at, id`.execute(db);
  return rows;
}
