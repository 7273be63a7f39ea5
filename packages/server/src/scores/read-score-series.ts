import type { ScoreSeries } from "@whytrace/contract/schemas/scores";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { agentHash } from "../decision-facts/agent-hash.ts";
import type { DayRange } from "../insights/days/read-days.ts";
import { startedIn } from "../insights/started-in.ts";
import { isFailingLabelSql } from "../outcomes/failing-label.ts";
import { isAskedFor } from "../trace-store/outcomes/is-asked-for.ts";
import { meanInterval } from "./mean-interval.ts";

interface DayRow {
  day: string;
  runs: number;
  answered: number;
  asked: number;
  silent: number;
  /** Runs with a number or boolean, and the mean and deviation of what they have on average. */
  valued: number;
  mean: number | null;
  deviation: number | null;
  bad: number;
}

/** What the scores of a name say about the ended runs of each day that has some. */
export async function readScoreSeries(
  db: Database,
  workspaceId: WorkspaceId,
  { name, agent, range }: { name: string; agent: string | undefined; range: DayRange },
): Promise<ScoreSeries["days"]> {
  const isAgent = agent === undefined ? sql`true` : sql`agent_hash = ${agentHash(agent)}`;
  const { rows } = await sql<DayRow>`
    select day::text as day, count(*) as runs, count(trace_id) as answered, count(*) filter (where is_asked) as asked,
      count(*) filter (where is_asked and trace_id is null) as silent,
      count(value) as valued, avg(value) as mean, stddev_samp(value) as deviation, count(*) filter (where is_bad) as bad
    from (
      select id, (started_at at time zone 'utc')::date as day, ${isAskedFor(name)} as is_asked from traces
      where workspace_id = ${workspaceId} and status <> 'RUNNING' and ${isAgent} and ${startedIn(range)}
    ) as runs left join (
      select trace_id, avg(number) as value,
        bool_or((kind = 1 and number = 0) or ${isFailingLabelSql("label")}) as is_bad
      from scores where workspace_id = ${workspaceId} and name = ${name} and not is_waiting group by trace_id
    ) as scored on scored.trace_id = runs.id
    group by day order by day`.execute(db);
  return rows.map(({ valued, deviation, ...row }) => ({
    ...row,
    ...meanInterval(row.mean, deviation, valued),
  }));
}
