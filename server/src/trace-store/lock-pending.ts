import { hash32 } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { textList } from "../db/text-list.ts";

/** A request may name tens of thousands of traces, and PostgreSQL's table of locks has room for a few thousand. */
const BUCKETS = 64;

/**
 * Makes log records that come before their trace wait while the trace is created, and the other way round: whoever comes
 * second sees what the first has stored. Traces share the locks of 64 buckets for each user, taken in their order. Those
 * who create traces do not wait for each other.
 */
export async function lockPending(
  trx: Database,
  userId: string,
  traceIds: string[],
  purpose: "create" | "keep",
): Promise<void> {
  if (traceIds.length === 0) return;
  const buckets = [...new Set(traceIds.map((id) => hash32(id) % BUCKETS))].sort((a, b) => a - b);
  const lock = sql.raw(purpose === "create" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock");
  await sql`/* prepared */
    select ${lock}(hashtextextended(name, 0))
    from unnest(${textList(buckets.map((bucket) => `pending ${userId} ${bucket}`))}) with ordinality as sorted (name, n)
    order by n`.execute(trx);
}
