import { maskText, signatureToHex } from "@whytrace/contract";
import type { IssueGrouping } from "@whytrace/contract/schemas/issues/issues";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { maskMessage } from "../decision-facts/messages/mask-message.ts";
import { splitMessage } from "../decision-facts/messages/split-message.ts";
import { PROBLEM_KINDS } from "../outcomes/problems-of-run.ts";
import { runsOfIssues } from "./issue-sums.ts";

/** Of the rules by which messages are masked. */
const MASK_VERSION = 3;
const EXAMPLES = 3;
const MAX_PROBLEMS = 1_000;

interface ProblemRow {
  problem: number;
  runs: number;
  firstSeen: string;
  lastSeen: string;
}

interface ExampleRow {
  problem: number;
  kind: number;
  text: string;
  traceId: string;
  spanId: string | null;
  agent: string | null;
  message: string | null;
}

/** Why the runs of an issue are one: the text that they have in common, and which parts of their messages are masked. */
export async function readGrouping(
  db: Database,
  workspaceId: WorkspaceId,
  number: number,
): Promise<IssueGrouping> {
  const { rows: problems } = await sql<ProblemRow>`
    select issue_problems.problem, count(*) as runs, min(problem_runs.started_at) as first_seen,
      max(problem_runs.started_at) as last_seen
    from ${runsOfIssues(workspaceId)}
    where issue_problems.workspace_id = ${workspaceId} and issue_problems.number = ${number}
    group by issue_problems.problem order by runs desc, issue_problems.problem limit ${MAX_PROBLEMS}`.execute(
    db,
  );
  const { rows: examples } = await sql<ExampleRow>`
    select newest.problem, newest.kind, newest.text, newest.trace_id, newest.span_id, traces.name as agent,
      left(coalesce(nullif(btrim(spans.status_message), ''), spans.name), 1000) as message
    from unnest(${problems.map(({ problem }) => problem)}::bigint[]) as wanted (problem)
      cross join lateral (
        select problem, kind, text, trace_id, span_id, started_at from problem_runs
        where problem_runs.workspace_id = ${workspaceId} and problem_runs.problem = wanted.problem
        order by started_at desc, trace_id limit ${EXAMPLES}) as newest
      left join traces on traces.workspace_id = ${workspaceId} and traces.id = newest.trace_id
      left join spans on spans.workspace_id = ${workspaceId} and spans.trace_id = newest.trace_id and spans.id = newest.span_id
    order by newest.started_at desc, newest.trace_id`.execute(db);
  const examplesOf = Map.groupBy(examples, ({ problem }) => problem);
  return {
    version: MASK_VERSION,
    problems: problems.flatMap(({ problem, ...counts }) => {
      const own = examplesOf.get(problem) ?? [];
      const [newest] = own;
      if (!newest) return [];
      return {
        id: signatureToHex(problem),
        kind: PROBLEM_KINDS[newest.kind] ?? "error",
        agent: maskText(newest.agent ?? ""),
        text: newest.text,
        ...counts,
        examples: own.map(toExample),
      };
    }),
  };
}

/** The message as it was sent, if it is that of the span; otherwise the text in common. */
function toExample({ kind, traceId, spanId, text, message }: ExampleRow) {
  const isMessage = kind === 0 && message !== null && maskMessage(message) === text;
  const parts = isMessage
    ? splitMessage(message).map((piece) => ({ text: piece.text, isMasked: piece.mask !== null }))
    : [{ text, isMasked: false }];
  return { traceId, spanId, parts };
}
