import type { TraceChange } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { forEachTenant } from "../db/sharding.ts";

/** Stored changes per user, at least. A reader that missed more must reload. */
const MIN_STORED_CHANGES = 500;
const PRUNE_INTERVAL = 100;
/** About 350 traces. A longer list is not stored, and readers must reload. */
const MAX_TRACES_LENGTH = 32_768;

/** The changes to a user's traces in one transaction. */
export interface RecordedChange {
  userId: string;
  /** Null if readers must reload. */
  traces: TraceChange[] | null;
  /** The incremented version; if it is absent, the statement reads it. */
  version?: number | undefined;
}

/**
 * Records the changes that a transaction made. The transaction must already have incremented the version in
 * trace_totals of each user: it becomes the position of the change. The row of the version stays locked until the
 * commit, so positions are in commit order.
 */
export async function recordChanges(trx: Database, changes: RecordedChange[]): Promise<void> {
  const recorded = changes.map(({ userId, traces, version }) => {
    const json = traces && JSON.stringify(traces);
    return { userId, version, traces: json && json.length <= MAX_TRACES_LENGTH ? json : null };
  });
  const rows = await forEachTenant(trx, recorded, async (tenants) => {
    const [only, ...others] = tenants;
    const isOne = only && others.length === 0;
    // A cluster plans the first of these once, and a statement that reads the version each time.
    const positions =
      isOne && only.version !== undefined
        ? sql`values (${only.userId}::uuid, ${only.version}::bigint, ${only.traces}::json)`
        : isOne
          ? sql`select user_id, version, ${only.traces}::json from trace_totals where user_id = ${only.userId}`
          : sql`select totals.user_id, totals.version, recorded.traces::json
            from json_to_recordset(${JSON.stringify(tenants)}::json) as recorded ("userId" uuid, traces text)
            join trace_totals as totals on totals.user_id = recorded."userId"`;
    const inserted = await sql<{ userId: string; position: number }>`/* prepared */
      insert into trace_changes as changes (user_id, position, traces) ${positions}
      returning changes.user_id, changes.position`.execute(trx);
    return inserted.rows;
  });
  for (const { userId, position } of rows)
    if (position % PRUNE_INTERVAL === 0)
      await sql`delete from trace_changes where user_id = ${userId} and position <= ${position - MIN_STORED_CHANGES}`.execute(
        trx,
      );
}

export async function deleteChanges(db: Database, userId: string): Promise<void> {
  await sql`delete from trace_changes where user_id = ${userId}`.execute(db);
}
