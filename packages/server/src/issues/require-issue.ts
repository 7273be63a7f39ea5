import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { readIssueSums } from "./issue-sums.ts";
import { isVisible } from "./list-issues.ts";
import { readIssues, type StoredIssue } from "./stored-issue.ts";

export const ISSUE_NOT_FOUND = "Issue not found";
export const ISSUE_WAS_MERGED = "Issue was merged into #<n>";

/** Issues that are changed, in the order of their numbers. Throws 404 if one is not there, and 409 if it was merged. */
export async function requireIssues(
  trx: Database,
  workspaceId: WorkspaceId,
  numbers: readonly number[],
): Promise<StoredIssue[]> {
  const wanted = [...new Set(numbers)];
  const found = await readIssues(trx, workspaceId, wanted);
  if (found.length < wanted.length) throw new HttpError(404, ISSUE_NOT_FOUND);
  const merged = found.find(({ mergedInto }) => mergedInto !== null);
  if (merged) throw new HttpError(409, ISSUE_WAS_MERGED.replace("<n>", String(merged.mergedInto)));
  const today = new Date().toISOString().slice(0, 10);
  const sums = await readIssueSums(trx, workspaceId, { from: today, to: today }, { numbers: wanted });
  if (!found.every(isVisible(sums))) throw new HttpError(404, ISSUE_NOT_FOUND);
  return found;
}

/** One of them. */
export async function requireIssue(
  trx: Database,
  workspaceId: WorkspaceId,
  number: number,
): Promise<StoredIssue> {
  const [issue] = await requireIssues(trx, workspaceId, [number]);
  if (!issue) throw new HttpError(404, ISSUE_NOT_FOUND);
  return issue;
}
