import { maskText } from "@whytrace/contract";
import type { IssueKind } from "@whytrace/contract/schemas/issues/issues";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { PROBLEM_KINDS } from "../outcomes/problems-of-run.ts";
import type { StoredIssue } from "./stored-issue.ts";

/** What an issue is called: texts are read from its newest run, and are not stored with the issue. */
interface IssueNames {
  title: string;
  kind: IssueKind;
  agent: string;
  newestTraceId: string | null;
}

const OTHER_FAILURES = "Other failures";
const WITHOUT_RUNS: IssueNames = { title: "All runs deleted", kind: "error", agent: "", newestTraceId: null };

/** The names of issues by number. That of the first problem counts as long as it has runs. */
export async function readIssueNames(
  db: Database,
  workspaceId: WorkspaceId,
  issues: readonly StoredIssue[],
): Promise<(issue: StoredIssue) => IssueNames> {
  const numbers = issues.map(({ number }) => number);
  const { rows } = await sql<{
    number: number;
    problem: number;
    text: string;
    kind: number;
    traceId: string;
    startedAt: string;
    name: string | null;
  }>`
    select issue_problems.number, issue_problems.problem, newest.text, newest.kind, newest.trace_id, newest.started_at,
      traces.name
    from issue_problems
      cross join lateral (
        select text, kind, trace_id, started_at from problem_runs
        where problem_runs.workspace_id = ${workspaceId} and problem_runs.problem = issue_problems.problem
        order by started_at desc, trace_id limit 1) as newest
      left join traces on traces.workspace_id = ${workspaceId} and traces.id = newest.trace_id
    where issue_problems.workspace_id = ${workspaceId} and issue_problems.number = any(${numbers}::integer[])
    order by newest.started_at desc, newest.trace_id`.execute(db);
  const byNumber = Map.groupBy(rows, ({ number }) => number);
  return ({ number, firstProblem, isOther }) => {
    const own = byNumber.get(number) ?? [];
    const named = own.find(({ problem }) => problem === firstProblem) ?? own[0];
    if (!named) return WITHOUT_RUNS;
    return {
      title: isOther ? OTHER_FAILURES : named.text,
      kind: PROBLEM_KINDS[named.kind] ?? "error",
      agent: maskText(named.name ?? ""),
      newestTraceId: own[0]?.traceId ?? null,
    };
  };
}
