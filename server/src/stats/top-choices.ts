import type { ChoiceStat } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { instant, type Range } from "./range.ts";

/** A decision falls this long after its trace's start at most, for its failure to be found. */
const TRACE_LASTS_MS = 24 * 3_600_000;

/**
 * The choices after which most traces ended in an error. Failures are few, so they are counted first, and only the
 * choices with most of them are then counted in all.
 */
export async function topChoices(
  db: Database,
  userId: string,
  { fromMs, toMs }: Range,
  limit: number,
): Promise<ChoiceStat[]> {
  const { rows } = await sql<ChoiceStat>`
    with failed as materialized (
      select id from traces
      where user_id = ${userId} and status = 'ERROR'
        and started_at >= ${instant(fromMs - TRACE_LASTS_MS)} and started_at < ${instant(toMs)}
    ), worst as materialized (
      select type, choice, count(*) as failed from decision_points
      where user_id = ${userId} and trace_id in (select id from failed) and choice is not null
        and timestamp >= ${instant(fromMs)} and timestamp < ${instant(toMs)}
      group by type, choice order by failed desc, type, choice limit ${limit}
    )
    select worst.type, worst.choice, worst.failed, made.count
    from worst cross join lateral (
      select count(*) as count from decision_points
      where user_id = ${userId} and type = worst.type and choice = worst.choice
        and timestamp >= ${instant(fromMs)} and timestamp < ${instant(toMs)}
    ) as made
    order by worst.failed desc, worst.type, worst.choice`.execute(db);
  return rows;
}
