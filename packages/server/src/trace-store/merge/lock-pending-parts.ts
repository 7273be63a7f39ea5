import { hash32 } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/** A request may name tens of thousands of traces, and PostgreSQL's table of locks has room for a few thousand. */
const BUCKETS = 64;

/**
 * Serializes the creation of a trace with log records that came before it and wait for it: the second transaction sees what
 * the first one has stored. The traces of a workspace share 64 locks, taken in the order of their numbers. Transactions that
 * create traces share the locks, so they do not wait for each other.
 */
export async function lockPendingParts(
  trx: Database,
  workspaceId: WorkspaceId,
  traceIds: string[],
  purpose: "create" | "wait",
): Promise<void> {
  if (traceIds.length === 0) return;
  const buckets = [...new Set(traceIds.map((id) => hash32(id) % BUCKETS))].sort((a, b) => a - b);
  const lock = sql.raw(purpose === "create" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock");
  await sql`/* prepared */
    select ${lock}(hashtextextended(name, 0))
    from unnest(${textList(buckets.map((bucket) => `pending ${workspaceId} ${bucket}`))}) with ordinality as sorted (name, n)
    order by n`.execute(trx);
}
