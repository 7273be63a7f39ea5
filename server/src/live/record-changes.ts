import type { TraceChange } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** So many changes of a user are kept, at least; who missed more reads the lists anew. */
const KEPT = 500;
const PRUNED_AT_ONCE = 100;
/** About 350 traces; more in one batch are not named. */
const NAMED_MAX_LENGTH = 32_768;

/** What a transaction did to a user's traces. */
export interface RecordedChange {
  userId: string;
  traces: TraceChange[];
}

/**
 * Notes what a transaction did to users' traces. It must have raised the version of each one's traces already: that is
 * the change's position, and as its row is locked until the transaction ends, positions are in commit order.
 */
export async function recordChanges(trx: Database, changes: RecordedChange[]): Promise<void> {
  const sent = changes.map(({ userId, traces }) => {
    const text = JSON.stringify(traces);
    return { userId, traces: text.length > NAMED_MAX_LENGTH ? null : text };
  });
  const { rows } = await sql<{ userId: string; position: number }>`/* prepared */
    insert into trace_changes (user_id, position, traces)
    select totals.user_id, totals.version, sent.traces::json
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent ("userId" uuid, traces text)
    join trace_totals as totals on totals.user_id = sent."userId"
    returning user_id, position`.execute(trx);
  for (const { userId, position } of rows)
    if (position % PRUNED_AT_ONCE === 0)
      await sql`delete from trace_changes where user_id = ${userId} and position <= ${position - KEPT}`.execute(
        trx,
      );
}

export async function deleteChanges(db: Database, userId: string): Promise<void> {
  await sql`delete from trace_changes where user_id = ${userId}`.execute(db);
}
