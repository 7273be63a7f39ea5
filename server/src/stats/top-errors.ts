import type { ErrorStat } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { errorsOf } from "../traces/errors-of.ts";
import { instant, type Range } from "./range.ts";

/** What failed most often: spans of one name with one message, and ERROR events of one name. */
export async function topErrors(
  db: Database,
  userId: string,
  { fromMs, toMs }: Range,
  limit: number,
): Promise<ErrorStat[]> {
  const { rows } = await sql<ErrorStat>`
    select name, message, count(*) as count, count(distinct trace_id) as traces, max(at) as last_at,
      (array_agg(trace_id order by at desc))[1] as last_trace_id
    from (${errorsOf(userId)}) as errors
    where at >= ${instant(fromMs)} and at < ${instant(toMs)}
    group by name, message order by traces desc, count desc, name, message limit ${limit}`.execute(db);
  return rows;
}
