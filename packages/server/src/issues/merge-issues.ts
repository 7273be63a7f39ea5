import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { addTimelineEntry } from "./add-timeline-entry.ts";
import type { ChangedBy } from "./change-issue.ts";
import { requireIssue, requireIssues } from "./require-issue.ts";
import { updateIssue } from "./stored-issue.ts";

export const MERGED_INTO_ITSELF = "An issue cannot be merged into itself";

/**
 * Moves all problems of issues into another one, which keeps its number, title, assignee and state. The numbers of the others then
 * lead to it. The caller has locked the workspace's issues.
 */
export async function mergeIssues(
  trx: Database,
  workspaceId: WorkspaceId,
  { target: targetNumber, sources }: { target: number; sources: readonly number[] },
  by: ChangedBy,
): Promise<void> {
  if (sources.includes(targetNumber)) throw new HttpError(400, MERGED_INTO_ITSELF);
  const target = await requireIssue(trx, workspaceId, targetNumber);
  const merged = await requireIssues(trx, workspaceId, sources);
  const numbers = merged.map(({ number }) => number);
  await sql`
    update issue_problems set former_number = coalesce(former_number, number), number = ${target.number}
    where workspace_id = ${workspaceId} and number = any(${numbers}::integer[])`.execute(trx);
  // Numbers that led to one of these lead to the target.
  await sql`
    update issues set merged_into = ${target.number}
    where workspace_id = ${workspaceId} and merged_into = any(${numbers}::integer[])`.execute(trx);
  for (const issue of merged) {
    const update = { status: "merged", mergedInto: target.number } as const;
    await updateIssue(trx, workspaceId, issue, update, { isTouched: true });
    await addTimelineEntry(trx, workspaceId, {
      number: issue.number,
      kind: "merged",
      by,
      details: { into: target.number },
    });
  }
  const regression = merged.find((issue) => issue.status === "open" && issue.regression)?.regression;
  const update = regression ? ({ status: "open", regression, isAcknowledged: false } as const) : {};
  await updateIssue(trx, workspaceId, target, update, { isTouched: true });
}
