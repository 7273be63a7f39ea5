import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

interface MaskingLogEntry {
  version: number;
  at: string;
  userId: string | null;
  action: string;
  detail: unknown;
}

/** Who changed level and rules, newest first. */
export async function listMaskingLog(
  db: Database,
  workspaceId: WorkspaceId,
  { page, limit }: { page: number; limit: number },
): Promise<{ entries: MaskingLogEntry[]; total: number }> {
  const [entries, counted] = await Promise.all([
    sql<Omit<MaskingLogEntry, "detail"> & { detail: string }>`
      select version, at, user_id, action, detail::text as detail from masking_log
      where workspace_id = ${workspaceId} order by version desc, at desc
      limit ${limit} offset ${(page - 1) * limit}`.execute(db),
    sql<{ count: number }>`
      select count(*)::integer as count from masking_log where workspace_id = ${workspaceId}`.execute(db),
  ]);
  return {
    entries: entries.rows.map((entry) => ({ ...entry, detail: JSON.parse(entry.detail) })),
    total: counted.rows[0]?.count ?? 0,
  };
}
