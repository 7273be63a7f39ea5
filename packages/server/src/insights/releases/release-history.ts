import { type AgentRelease, type ReleaseHistory, releaseGroup } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { DayRange } from "../days/read-days.ts";
import { agentRuns, MAX_READ_RUNS } from "./agent-runs.ts";

const MAX_RELEASES = 200;

/** The releases of an agent in the order of their first runs, which is the order in which they were rolled out. */
export async function releaseHistory(
  db: Database,
  workspaceId: WorkspaceId,
  agent: string,
  range: DayRange,
): Promise<Pick<ReleaseHistory, "releases" | "isTruncated">> {
  const { rows } = await sql<Omit<AgentRelease, "group"> & { total: number }>`
    select release as name, min(started_at) as first_at, max(started_at) as last_at, count(*) as runs,
      count(*) filter (where outcome = 1) as bad_runs, (sum(count(*)) over ())::bigint as total
    from (${agentRuns(workspaceId, agent, range)}) as runs
    group by release order by min(started_at) desc, release desc limit ${MAX_RELEASES}`.execute(db);
  return {
    releases: rows
      .map(({ total: _, ...release }) => ({
        ...release,
        group: release.name === null ? null : releaseGroup(release.name),
      }))
      .reverse(),
    isTruncated: (rows[0]?.total ?? 0) >= MAX_READ_RUNS,
  };
}
