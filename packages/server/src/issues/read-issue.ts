import { MASKED_MAX_LENGTH, MAX_RELEASED_RUNS } from "@whytrace/contract";
import type { Issue, IssueDetail } from "@whytrace/contract/schemas/issues/issues";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { RELEASE_NAME } from "../decision-facts/release-name.ts";
import type { Member } from "../workspaces/list-members.ts";
import { countEndedRuns } from "./counting/count-ended-runs.ts";
import { describeIssues, shareOf } from "./describe-issues.ts";
import type { IssueRange } from "./issue-range.ts";
import { inRange, readIssueSums, runsOfIssues } from "./issue-sums.ts";
import { isVisible } from "./list-issues.ts";
import { readReleases } from "./read-releases.ts";
import { readIssues, type StoredIssue } from "./stored-issue.ts";

/** Of how many of its newest runs the models of an issue are counted. */
const MAX_MODEL_RUNS = 1_000;

/** Finds an issue; a number that was merged leads to the issue that it was merged into. Undefined if there is none. */
export async function findIssue(
  db: Database,
  workspaceId: WorkspaceId,
  number: number,
): Promise<StoredIssue | undefined> {
  const [found] = await readIssues(db, workspaceId, [number]);
  if (!found || found.mergedInto === null) return found;
  return (await readIssues(db, workspaceId, [found.mergedInto]))[0];
}

/** An issue as lists show it; undefined if the workspace has none with this number. */
export async function readIssue(
  db: Database,
  workspaceId: WorkspaceId,
  number: number,
  { range, members }: { range: IssueRange; members: readonly Member[] },
): Promise<Issue | undefined> {
  const found = await findIssue(db, workspaceId, number);
  if (!found) return undefined;
  const sums = await readIssueSums(db, workspaceId, range, { numbers: [found.number] });
  if (!isVisible(sums)(found)) return undefined;
  return (await describeIssues(db, workspaceId, [found], { range, sums, members }))[0];
}

/** An issue with what its page shows, but for what is learnt from other runs. */
export async function readIssueDetail(
  db: Database,
  workspaceId: WorkspaceId,
  number: number,
  options: { range: IssueRange; members: readonly Member[] },
): Promise<Omit<IssueDetail, "nearestGoodRun"> | undefined> {
  const issue = await readIssue(db, workspaceId, number, options);
  if (!issue) return undefined;
  const [byRelease, byModel, examples] = await Promise.all([
    countByRelease(db, workspaceId, issue.number, options.range),
    countByModel(db, workspaceId, issue.number),
    readExamples(db, workspaceId, issue.number),
  ]);
  return { ...issue, byRelease, byModel, examples };
}

const ofIssue = (workspaceId: WorkspaceId, number: number) =>
  sql`issue_problems.workspace_id = ${workspaceId} and issue_problems.number = ${number}`;

async function countByRelease(db: Database, workspaceId: WorkspaceId, number: number, range: IssueRange) {
  const [releases, { rows }] = await Promise.all([
    readReleases(db, workspaceId),
    sql<{ agentHash: number; releaseHash: number | null; runs: number }>`
      select problem_runs.agent_hash, problem_runs.release_hash, count(distinct trace_id) as runs
      from ${runsOfIssues(workspaceId)} where ${ofIssue(workspaceId, number)} and ${inRange(range)}
      group by problem_runs.agent_hash, problem_runs.release_hash`.execute(db),
  ]);
  const ended = await countEndedByRelease(db, workspaceId, range, rows);
  return rows
    .map(({ agentHash, releaseHash, runs }) => {
      const seen = releaseHash === null ? undefined : releases.of(agentHash, releaseHash);
      const of = ended.get(`${agentHash} ${seen?.name ?? ""}`) ?? 0;
      return { release: seen?.name ?? null, runs, share: shareOf(runs, of), version: seen?.version ?? -1 };
    })
    .sort((a, b) => b.version - a.version)
    .map(({ version: _version, ...row }) => row);
}

/** Runs in the range that ended good or bad, by the hash of the agent and the name of the release, empty if there is none. */
async function countEndedByRelease(
  db: Database,
  workspaceId: WorkspaceId,
  { from, to }: IssueRange,
  groups: readonly { agentHash: number }[],
): Promise<ReadonlyMap<string, number>> {
  const agents = [...new Set(groups.map(({ agentHash }) => agentHash))];
  const ended = await countEndedRuns(db, workspaceId, { from, to });
  // The release of a run is found in its tags, which takes a few microseconds.
  if (agents.reduce((sum, agentHash) => sum + (ended.get(agentHash) ?? 0), 0) > MAX_RELEASED_RUNS)
    return new Map();
  const { rows } = await sql<{ agentHash: number; release: string | null; runs: number }>`
    select agent_hash, ${RELEASE_NAME} as release, count(*) as runs from traces
    where workspace_id = ${workspaceId} and agent_hash = any(${agents}::bigint[]) and outcome in (0, 1)
      and started_at >= ${from}::date::timestamp at time zone 'utc'
      and started_at < ${to}::date::timestamp at time zone 'utc'
    group by 1, 2`.execute(db);
  return new Map(
    rows.map(({ agentHash, release, runs }) => [
      `${agentHash} ${(release ?? "").slice(0, MASKED_MAX_LENGTH)}`,
      runs,
    ]),
  );
}

/** The newest runs of an issue, each once. */
const newestRuns = (workspaceId: WorkspaceId, number: number) => sql`
  select traces.id, traces.models, traces.total_cost, traces.total_duration, traces.started_at from (
    select distinct problem_runs.trace_id, problem_runs.started_at from ${runsOfIssues(workspaceId)}
    where ${ofIssue(workspaceId, number)}
    order by problem_runs.started_at desc, problem_runs.trace_id limit ${MAX_MODEL_RUNS}
  ) as newest join traces on traces.workspace_id = ${workspaceId} and traces.id = newest.trace_id`;

async function countByModel(db: Database, workspaceId: WorkspaceId, number: number) {
  const { rows } = await sql<{ model: string; runs: number }>`
    select model, count(*) as runs from (${newestRuns(workspaceId, number)}) as runs, unnest(runs.models) as model
    group by model order by runs desc, model limit 50`.execute(db);
  return rows;
}

async function readExamples(
  db: Database,
  workspaceId: WorkspaceId,
  number: number,
): Promise<IssueDetail["examples"]> {
  const { rows } = await sql<{ newest: string | null; shortest: string | null; cheapest: string | null }>`
    with runs as (${newestRuns(workspaceId, number)})
    select (select id from runs order by started_at desc, id limit 1) as newest,
      (select id from runs order by total_duration nulls last, started_at desc, id limit 1) as shortest,
      (select id from runs order by total_cost nulls last, started_at desc, id limit 1) as cheapest`.execute(
    db,
  );
  const { newest = null, shortest = null, cheapest = null } = rows[0] ?? {};
  return newest === null || shortest === null || cheapest === null ? null : { newest, shortest, cheapest };
}
