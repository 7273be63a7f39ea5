import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { deleteIssueRows } from "./drop-empty-issues.ts";
import type { IssueCursor } from "./lock-issues.ts";

const MAX_ISSUES = 10_000;
export const MAX_NEW_ISSUES_PER_DAY = 500;
const MAX_DROPPED = 100;
/** Issues that nobody touched may be dropped after so many days without a run. */
const FORGOTTEN_AFTER_DAYS = 30;

type Numbers = Pick<IssueCursor, "nextNumber" | "newOn" | "newCount">;

interface NewIssue {
  number: number;
  firstProblem: number;
  agentHash: number;
  isOther: boolean;
}

interface CreatedIssues extends Numbers {
  created: readonly NewIssue[];
  /** The numbers of the issues that the problems are in now. */
  numbers: ReadonlyMap<number, number>;
}

/**
 * Creates the issues of problems that have none, in the order of their first rows. Beyond the limits, problems are put into the issue
 * of other failures. Returns what was created, the next number, and how many issues were created today.
 */
export async function createIssues(
  trx: Database,
  workspaceId: WorkspaceId,
  { nextNumber, newOn, newCount, today }: IssueCursor,
  { rows }: { rows: readonly { problem: number; agentHash: number }[] },
): Promise<CreatedIssues> {
  if (rows.length === 0) return { nextNumber, newOn, newCount, created: [], numbers: new Map() };
  const created: NewIssue[] = [];
  const problems = new Map<number, number>();
  const countBefore = newOn === today ? newCount : 0;
  let room = await roomForIssues(trx, workspaceId, new Set(rows.map(({ problem }) => problem)).size);
  let other: number | undefined;
  let isOtherRead = false;
  let next = nextNumber;
  for (const { problem, agentHash } of rows) {
    if (problems.has(problem)) continue;
    if (room > 0 && countBefore + created.length < MAX_NEW_ISSUES_PER_DAY) {
      room -= 1;
      created.push({ number: next, firstProblem: problem, agentHash, isOther: false });
      problems.set(problem, next++);
      continue;
    }
    if (!isOtherRead) other = await readOther(trx, workspaceId);
    isOtherRead = true;
    if (other === undefined) {
      other = next++;
      created.push({ number: other, firstProblem: problem, agentHash, isOther: true });
    }
    problems.set(problem, other);
  }
  await insertIssues(trx, workspaceId, created, problems);
  return {
    nextNumber: next,
    newOn: today,
    newCount: countBefore + created.length,
    created,
    numbers: problems,
  };
}

/** How many issues may be added, at most as many as are wanted. Drops issues that nobody needs if the workspace is full. */
async function roomForIssues(trx: Database, workspaceId: WorkspaceId, wanted: number): Promise<number> {
  const count = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from issues where workspace_id = ${workspaceId} and status <> 'merged'`.execute(
      trx,
    );
    return rows[0]?.count ?? 0;
  };
  const room = MAX_ISSUES - (await count());
  if (room >= wanted) return wanted;
  const { rows } = await sql<{ number: number }>`
    select number from issues
    where workspace_id = ${workspaceId} and touched_at is null and not is_other and status <> 'merged'
      and (status = 'resolved' or not exists (
        select from issue_problems join problem_runs on problem_runs.workspace_id = ${workspaceId}
          and problem_runs.problem = issue_problems.problem
        where issue_problems.workspace_id = ${workspaceId} and issue_problems.number = issues.number
          and problem_runs.started_at > now() - make_interval(days => ${FORGOTTEN_AFTER_DAYS})))
    order by number limit ${MAX_DROPPED}`.execute(trx);
  await deleteIssueRows(
    trx,
    workspaceId,
    rows.map(({ number }) => number),
  );
  return Math.max(0, room) + rows.length;
}

async function readOther(trx: Database, workspaceId: WorkspaceId): Promise<number | undefined> {
  const { rows } = await sql<{ number: number }>`
    select number from issues where workspace_id = ${workspaceId} and is_other order by number limit 1`.execute(
    trx,
  );
  return rows[0]?.number;
}

async function insertIssues(
  trx: Database,
  workspaceId: WorkspaceId,
  created: readonly NewIssue[],
  problems: ReadonlyMap<number, number>,
): Promise<void> {
  const entries = created.map(({ number }) => ({ number, id: randomUUID() }));
  const numbered = [...problems].map(([problem, number]) => ({ problem, number }));
  await Promise.all([
    sql`
      insert into issues (workspace_id, number, first_problem, agent_hash, status, is_other)
      select ${workspaceId}::uuid, number, "firstProblem", "agentHash", 'open', "isOther"
      from json_to_recordset(${JSON.stringify(created)}::json)
        as created (number integer, "firstProblem" bigint, "agentHash" bigint, "isOther" boolean)`.execute(
      trx,
    ),
    sql`
      insert into issue_problems (workspace_id, problem, number)
      select ${workspaceId}::uuid, problem, number
      from json_to_recordset(${JSON.stringify(numbered)}::json) as numbered (problem bigint, number integer)`.execute(
      trx,
    ),
    sql`
      insert into issue_timeline (workspace_id, number, id, kind, details)
      select ${workspaceId}::uuid, number, id, 'created', '{}'::jsonb
      from json_to_recordset(${JSON.stringify(entries)}::json) as entry (number integer, id uuid)`.execute(
      trx,
    ),
  ]);
}
