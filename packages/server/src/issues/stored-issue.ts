import type { IssueState } from "@whytrace/contract/schemas/issues/issues";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { StoredExplanation } from "./likely/stored-explanation.ts";

/** What an open issue is known by; stored while it is resolved or ignored, for an undo. */
interface OpenState {
  isAcknowledged: boolean;
  regression: StoredRegression | null;
}

/** In which runs a fix is. */
export interface StoredResolution {
  in: "now" | "next" | "release";
  at: string;
  /** The version of the workspace's totals when it was resolved: releases that were seen later have a higher one. */
  version: number;
  release: string | null;
  note: string | null;
  url: string | null;
  /** Hashes of releases that were seen later and do not have the fix. */
  exceptReleases: number[];
  before?: OpenState;
}

export interface StoredRegression {
  at: string;
  release: string | null;
  traceId: string;
}

interface StoredIgnoring {
  at: string;
  untilRuns: number | null;
  untilDate: string | null;
  /** Runs that were counted since. */
  counted: number;
  before?: OpenState;
}

/** A row of `issues`. */
export interface StoredIssue {
  number: number;
  firstProblem: number;
  agentHash: number;
  status: "open" | "resolved" | "ignored" | "merged";
  isAcknowledged: boolean;
  createdAt: string;
  touchedAt: string | null;
  resolution: StoredResolution | null;
  regression: StoredRegression | null;
  ignored: StoredIgnoring | null;
  mergedInto: number | null;
  assigneeId: string | null;
  externalUrl: string | null;
  isOther: boolean;
  /** Null before the issue is explained for the first time. */
  likely: StoredExplanation | null;
}

const NEW_FOR_MS = 7 * 86_400_000;

/** An issue is new or regressed until somebody takes it on. */
export function stateOf(
  { status, isAcknowledged, regression, createdAt }: StoredIssue,
  now: number,
): IssueState {
  if (status === "resolved" || status === "ignored") return status;
  if (isAcknowledged) return "ongoing";
  if (regression) return "regressed";
  return now - Date.parse(createdAt) < NEW_FOR_MS ? "new" : "ongoing";
}

/** The state of an issue when it was open last. */
export function openStateOf({
  status,
  isAcknowledged,
  regression,
  resolution,
  ignored,
}: StoredIssue): OpenState {
  const before =
    status === "resolved" ? resolution?.before : status === "ignored" ? ignored?.before : undefined;
  return before ?? { isAcknowledged, regression };
}

const COLUMNS = sql.raw(
  `number, first_problem, agent_hash, status, is_acknowledged, created_at, touched_at, resolution, regression, ignored,
  merged_into, assignee_id, external_url, is_other, likely`,
);

/** Issues with these numbers, or all; also those that were merged. */
export async function readIssues(
  db: Database,
  workspaceId: WorkspaceId,
  numbers?: readonly number[],
): Promise<StoredIssue[]> {
  const isWanted = numbers ? sql`number = any(${numbers}::integer[])` : sql`true`;
  const { rows } = await sql<StoredIssue>`
    select ${COLUMNS} from issues where workspace_id = ${workspaceId} and ${isWanted} order by number`.execute(
    db,
  );
  return rows;
}

/** What of an issue changes; the caller has locked the workspace's issues. */
type IssueUpdate = Partial<
  Pick<
    StoredIssue,
    | "firstProblem"
    | "status"
    | "isAcknowledged"
    | "resolution"
    | "regression"
    | "ignored"
    | "mergedInto"
    | "assigneeId"
    | "externalUrl"
  >
>;

/** Writes an issue as it is after a change. `isTouched`: a person changed it. */
export async function updateIssue(
  trx: Database,
  workspaceId: WorkspaceId,
  before: StoredIssue,
  update: IssueUpdate,
  { isTouched }: { isTouched: boolean },
): Promise<void> {
  const after = { ...before, ...update };
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  await sql`
    update issues set first_problem = ${after.firstProblem}, status = ${after.status},
      is_acknowledged = ${after.isAcknowledged}, resolution = ${json(after.resolution)}::jsonb,
      regression = ${json(after.regression)}::jsonb, ignored = ${json(after.ignored)}::jsonb,
      merged_into = ${after.mergedInto}::integer, assignee_id = ${after.assigneeId}::uuid,
      external_url = ${after.externalUrl}, touched_at = ${isTouched ? sql`now()` : sql`touched_at`}
    where workspace_id = ${workspaceId} and number = ${before.number}`.execute(trx);
}
