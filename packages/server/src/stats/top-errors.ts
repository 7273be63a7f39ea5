import type { ErrorStat } from "@whytrace/contract/schemas/stats";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { errorsQuery } from "../traces/errors-query.ts";
import { type TimeRange, timestamptz } from "./time-range.ts";

/**
 * The most frequent errors. Spans around a failed one often fail with its message, so errors with the same message are one,
 * with the name of the span that started last; errors without a message are told apart by name.
 */
export async function topErrors(
  db: Database,
  workspaceId: WorkspaceId,
  { fromMs, toMs }: TimeRange,
  limit: number,
): Promise<ErrorStat[]> {
  const { rows } = await sql<ErrorStat>`
    select (array_agg(name order by at desc, name))[1] as name, message, count(*) as count, count(distinct trace_id) as traces, max(at) as last_at,
      (array_agg(trace_id order by at desc))[1] as last_trace_id
    from (${errorsQuery(workspaceId)}) as errors
    where at >= ${timestamptz(fromMs)} and at < ${timestamptz(toMs)}
    group by message, case when message is null then name end order by traces desc, count desc, name, message limit ${limit}`.execute(
    db,
  );
  return rows;
}
