import type { Share } from "@whytrace/contract";
import { sql } from "kysely";
import { createdByColumn } from "../auth/created-by.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import { textList } from "../db/statements/text-list.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

interface StoredShare extends Omit<Share, "traceName"> {
  storedAt: string;
}

/** Newest first. Links are read in the directory, and traces in their workspace. */
export async function listShares(
  { db, reads }: { db: Database; reads: FairDatabase },
  workspaceId: WorkspaceId,
): Promise<Share[]> {
  const { rows: shares } = await sql<StoredShare>`
    select id, trace_id, has_payloads, why is not null as has_why, created_at, expires_at, expires_at <= now() as is_expired,
      open_count, last_opened_at, trace_created_at::text as stored_at, ${createdByColumn("trace_shares.created_by")}
    from trace_shares where workspace_id = ${workspaceId} order by created_at desc, id`.execute(db);
  if (shares.length === 0) return [];
  const ids = textList(shares.map(({ traceId }) => traceId));
  const { rows: traces } = await reads.run(workspaceId, (traceDb) =>
    sql<{ id: string; name: string; storedAt: string }>`
      select id, name, created_at::text as stored_at from traces
      where workspace_id = ${workspaceId} and id = any(${ids})`.execute(traceDb),
  );
  const traceById = new Map(traces.map((trace) => [trace.id, trace]));
  return shares.map(({ storedAt, ...share }) => {
    const trace = traceById.get(share.traceId);
    return { ...share, traceName: trace?.storedAt === storedAt ? trace.name : null };
  });
}
