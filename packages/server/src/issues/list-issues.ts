import type {
  IssueKind,
  IssueList,
  IssueSort,
  IssueState,
  ListedState,
} from "@whytrace/contract/schemas/issues/issues";
import { ISSUE_STATES } from "@whytrace/contract/schemas/issues/issues";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { agentHash } from "../decision-facts/agent-hash.ts";
import { releaseHash } from "../trace-store/problems/agent-releases.ts";
import type { Member } from "../workspaces/list-members.ts";
import { describeIssues } from "./describe-issues.ts";
import { readIssueNames } from "./issue-names.ts";
import type { IssueRange } from "./issue-range.ts";
import { type IssueSums, readIssueSums, readPeople, runsOfIssues } from "./issue-sums.ts";
import { readIssues, type StoredIssue, stateOf } from "./stored-issue.ts";

interface IssueQuery {
  state: ListedState;
  sort: IssueSort;
  kind?: IssueKind | undefined;
  agent?: string | undefined;
  release?: string | undefined;
  /** The id of a member, or null for issues that nobody has. */
  assigneeId?: string | null | undefined;
  search?: string | undefined;
  /** Only issues that count this run. */
  traceId?: string | undefined;
  range: IssueRange;
  page: number;
  limit: number;
}

const OPEN: ReadonlySet<IssueState> = new Set<IssueState>(["new", "ongoing", "regressed"]);
const RANKS: Readonly<Record<IssueState, number>> = {
  regressed: 0,
  new: 1,
  ongoing: 2,
  resolved: 3,
  ignored: 4,
};

interface ListedIssue {
  issue: StoredIssue;
  state: IssueState;
  sums: IssueSums | undefined;
}

/** A page of a workspace's issues. */
export async function listIssues(
  db: Database,
  workspaceId: WorkspaceId,
  query: IssueQuery,
  members: readonly Member[],
): Promise<IssueList> {
  const [stored, sums] = await Promise.all([
    readIssues(db, workspaceId),
    readIssueSums(db, workspaceId, query.range),
  ]);
  const now = Date.now();
  const found = (await filterIssues(db, workspaceId, stored.filter(isVisible(sums)), query)).map((issue) => ({
    issue,
    state: stateOf(issue, now),
    sums: sums.get(issue.number),
  }));
  const counts = Object.fromEntries(
    ISSUE_STATES.map((state) => [state, found.filter((one) => one.state === state).length]),
  ) as Record<IssueState, number>;
  const wanted = found.filter(({ state }) => isListed(state, query.state));
  const sorted = await sortIssues(db, workspaceId, wanted, query);
  const { page, limit } = query;
  const shown = sorted.slice((page - 1) * limit, page * limit).map(({ issue }) => issue);
  return {
    issues: await describeIssues(db, workspaceId, shown, { range: query.range, sums, members }),
    total: wanted.length,
    page,
    limit,
    totalPages: Math.ceil(wanted.length / limit),
    counts,
  };
}

/** An issue without runs is gone, unless a person touched it. */
export const isVisible =
  (sums: ReadonlyMap<number, IssueSums>) =>
  ({ number, status, touchedAt }: StoredIssue) =>
    status !== "merged" && (touchedAt !== null || sums.has(number));

const isListed = (state: IssueState, listed: ListedState) =>
  listed === "all" || (listed === "open" ? OPEN.has(state) : state === listed);

async function filterIssues(
  db: Database,
  workspaceId: WorkspaceId,
  issues: StoredIssue[],
  { kind, agent, release, assigneeId, search, traceId, range }: IssueQuery,
): Promise<StoredIssue[]> {
  const hash = agent === undefined ? undefined : agentHash(agent);
  let found = issues.filter(
    (issue) =>
      (hash === undefined || issue.agentHash === hash) &&
      (assigneeId === undefined || issue.assigneeId === assigneeId),
  );
  if (release !== undefined) {
    const ofRelease = await readIssueSums(db, workspaceId, range, { releaseHash: releaseHash(release) });
    found = found.filter(({ number }) => (ofRelease.get(number)?.runs ?? 0) > 0);
  }
  if (traceId !== undefined) {
    const numbers = await readNumbersOfTrace(db, workspaceId, traceId);
    found = found.filter(({ number }) => numbers.has(number));
  }
  if (kind === undefined && search === undefined) return found;
  const namesOf = await readIssueNames(db, workspaceId, found);
  const text = search?.toLowerCase();
  return found.filter((issue) => {
    const names = namesOf(issue);
    return (
      (kind === undefined || names.kind === kind) &&
      (text === undefined || names.title.toLowerCase().includes(text))
    );
  });
}

async function readNumbersOfTrace(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ number: number }>`
    select issue_problems.number from ${runsOfIssues(workspaceId)}
    where issue_problems.workspace_id = ${workspaceId} and problem_runs.trace_id = ${traceId}`.execute(db);
  return new Set(rows.map(({ number }) => number));
}

async function sortIssues(
  db: Database,
  workspaceId: WorkspaceId,
  issues: ListedIssue[],
  { sort, range }: IssueQuery,
): Promise<ListedIssue[]> {
  const people =
    sort === "people"
      ? await readPeople(
          db,
          workspaceId,
          range,
          issues.map(({ issue }) => issue.number),
        )
      : undefined;
  const keysOf = ({ issue: { number }, state, sums }: ListedIssue): number[] => {
    switch (sort) {
      case "inbox":
        return [RANKS[state], -(sums?.recentRuns ?? 0)];
      case "newest":
        return [-number];
      case "lastSeen":
        return [-Date.parse(sums?.lastSeen ?? "1970-01-01")];
      case "runs":
        return [-(sums?.runs ?? 0)];
      case "people":
        return [-(people?.get(number) ?? 0)];
    }
  };
  return issues
    .map((one) => ({ one, keys: [...keysOf(one), one.issue.number] }))
    .sort((a, b) => {
      const at = a.keys.findIndex((key, index) => key !== b.keys[index]);
      return at < 0 ? 0 : (a.keys[at] ?? 0) - (b.keys[at] ?? 0);
    })
    .map(({ one }) => one);
}
