import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import { textList } from "../db/statements/text-list.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { readersOf } from "./readers-of.ts";

interface OpenShare {
  id: string;
  workspaceId: WorkspaceId;
  traceId: string;
  storedAt: string;
}

/** Returns those of the given ids whose links still work: they are not revoked or expired, and their traces are stored. */
export async function findOpenShares(
  { db, reads }: { db: Database; reads: FairDatabase },
  ids: string[],
): Promise<Set<string>> {
  const { rows: shares } = await sql<OpenShare>`
    select id, workspace_id, trace_id, trace_created_at::text as stored_at from trace_shares
    where id = any(${ids}::uuid[]) and expires_at > now()`.execute(db);
  const byWorkspace = Map.groupBy(shares, ({ workspaceId }) => workspaceId);
  const open = await Promise.all(
    [...byWorkspace].map(([workspaceId, own]) => withStoredTraces(reads, workspaceId, own)),
  );
  return new Set(open.flat().map(({ id }) => id));
}

async function withStoredTraces(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
  shares: OpenShare[],
): Promise<OpenShare[]> {
  const ids = textList(shares.map(({ traceId }) => traceId));
  const { rows } = await reads.run(
    workspaceId,
    (db) =>
      sql<{ id: string; storedAt: string }>`
        select id, created_at::text as stored_at from traces
        where workspace_id = ${workspaceId} and id = any(${ids})`.execute(db),
    { caller: readersOf({ workspaceId }), isContinued: true },
  );
  const storedAt = new Map(rows.map((trace) => [trace.id, trace.storedAt]));
  return shares.filter((share) => storedAt.get(share.traceId) === share.storedAt);
}
