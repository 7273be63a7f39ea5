import type { ApiKey } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";

export async function listApiKeys(db: Database, userId: string): Promise<ApiKey[]> {
  const { rows } = await sql<ApiKey>`
    select id, name, prefix, scope, created_at, expires_at, coalesce(expires_at <= now(), false) as is_expired, last_used_at
    from api_keys
    where user_id = ${userId} order by created_at, id`.execute(db);
  return rows;
}
