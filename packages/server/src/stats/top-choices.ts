import type { ChoiceStat } from "@whytrace/contract/schemas/stats";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { type TimeRange, timestamptz } from "./time-range.ts";

/** Failures of decisions made later than this after the start of their trace are not counted. */
const MAX_TRACE_DURATION_MS = 24 * 3_600_000;

/**
 * The choices whose traces failed most often. Failed traces are few, so the query counts them first, and then counts
 * all uses of only the top choices. `offset 0`, an optimization fence, makes it look up the decisions of each failed trace:
 * before the first `analyze`, PostgreSQL expects one row, and would compare every decision with every failed trace. The time
 * is compared outside of it, or an index by time could be read once for each failed trace.
 */
export async function topChoices(
  db: Database,
  workspaceId: WorkspaceId,
  { fromMs, toMs }: TimeRange,
  limit: number,
): Promise<ChoiceStat[]> {
  const { rows } = await sql<ChoiceStat>`
    with failed as materialized (
      select id from traces
      where workspace_id = ${workspaceId} and status = 'ERROR'
        and started_at >= ${timestamptz(fromMs - MAX_TRACE_DURATION_MS)} and started_at < ${timestamptz(toMs)}
    ), worst as materialized (
      select type, choice, count(*) as failed from failed cross join lateral (
        select type, choice, timestamp from decision_points
        where workspace_id = ${workspaceId} and trace_id = failed.id
        offset 0
      ) as decision
      where choice is not null and timestamp >= ${timestamptz(fromMs)} and timestamp < ${timestamptz(toMs)}
      group by type, choice order by failed desc, type, choice limit ${limit}
    )
    select worst.type, worst.choice, worst.failed, made.count
    from worst cross join lateral (
      select count(*) as count from decision_points
      where workspace_id = ${workspaceId} and type = worst.type and choice = worst.choice
        and timestamp >= ${timestamptz(fromMs)} and timestamp < ${timestamptz(toMs)}
    ) as made
    order by worst.failed desc, worst.type, worst.choice`.execute(db);
  return rows;
}
