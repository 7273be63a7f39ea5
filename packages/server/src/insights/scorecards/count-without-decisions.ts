import { MASK_READ_LENGTH, type WhyList } from "@whytrace/contract";
import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import type { DayRange } from "../days/read-days.ts";
import type { NamedRuns } from "../names/find-runs.ts";
import { startedIn } from "../started-in.ts";

/** Of more traces the newest are counted, so that a workspace without decisions costs no more. */
const MAX_COUNTED = 10_000;

interface WithoutDecisions extends Pick<WhyList, "runsWithoutDecisions" | "failedWithoutDecisions"> {
  /** Those of them that are good or bad. */
  judgedWithoutDecisions: number;
}

interface NamedCount {
  name: string;
  runs: number;
  failed: number;
  judged: number;
}

/** Counts traces that decided nothing: insights know nothing else of them. The index traces_without_decisions finds them. */
export async function countWithoutDecisions(
  db: Database,
  workspaceId: WorkspaceId,
  range: DayRange,
  { agent, release }: NamedRuns,
): Promise<WithoutDecisions> {
  // Traces without decisions have no facts, so the usual tags of a release are compared.
  const isCounted =
    release === undefined
      ? sql`true`
      : sql`(service_version = ${release} or tags && ${[release, `release:${release}`, `version:${release}`]}::text[])`;
  const name = agent === undefined ? sql`''` : sql`left(name, ${MASK_READ_LENGTH})`;
  const { rows } = await sql<NamedCount>`
    select ${name} as name, count(*) as runs, count(*) filter (where outcome = 1) as failed,
      count(*) filter (where outcome in (0, 1)) as judged
    from (
      select name, outcome, tags, service_version from traces
      where workspace_id = ${workspaceId} and decision_point_count = 0 and ${startedIn(range)}
      order by started_at desc limit ${MAX_COUNTED}) as newest
    where ${isCounted}
    group by 1`.execute(db);
  return runInTimeSlices(sumOfAgent(rows, agent));
}

function* sumOfAgent(
  counts: readonly NamedCount[],
  agent: string | undefined,
): Generator<undefined, WithoutDecisions> {
  const wanted = agent === undefined ? undefined : agentHash(agent);
  const sum = { runsWithoutDecisions: 0, failedWithoutDecisions: 0, judgedWithoutDecisions: 0 };
  for (const { name, runs, failed, judged } of counts) {
    if (wanted === undefined || agentHash(name) === wanted) {
      sum.runsWithoutDecisions += runs;
      sum.failedWithoutDecisions += failed;
      sum.judgedWithoutDecisions += judged;
    }
    yield;
  }
  return sum;
}
