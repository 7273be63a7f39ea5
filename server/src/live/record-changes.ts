import type { TraceChange } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { Conflict } from "../db/transaction.ts";

/** So many changes of a user are kept, at least; who missed more reads the lists anew. */
const KEPT = 500;
const PRUNED_AT_ONCE = 100;
/** About 350 traces; more in one batch are not named. */
const NAMED_MAX_LENGTH = 32_768;

/**
 * Notes what a transaction did to a user's traces. It must hold the user's subscription already and commit soon:
 * then whoever has the next position begins after this one is visible, and positions are in commit order.
 */
export async function recordChanges(trx: Database, userId: string, changes: TraceChange[]): Promise<void> {
  if (changes.length === 0) return;
  const text = JSON.stringify(changes);
  const { rows } = await sql<{ position: number }>`/* prepared */
    insert into trace_changes (user_id, position, traces)
    values (${userId},
      coalesce((select position from trace_changes where user_id = ${userId} order by position desc limit 1), 0) + 1,
      ${text.length > NAMED_MAX_LENGTH ? null : text})
    on conflict (user_id, position) do nothing returning position`.execute(trx);
  const position = rows[0]?.position;
  // Only without a subscription to hold can two meet here.
  if (position === undefined) throw new Conflict("another change took this position");
  if (position % PRUNED_AT_ONCE === 0)
    await sql`delete from trace_changes where user_id = ${userId} and position <= ${position - KEPT}`.execute(
      trx,
    );
}

export async function forgetChanges(db: Database, userId: string): Promise<void> {
  await sql`delete from trace_changes where user_id = ${userId}`.execute(db);
}
