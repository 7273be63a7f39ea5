import { MAX_COMMENT_LENGTH, MAX_ISSUE_COMMENTS } from "@whytrace/contract/schemas/issues/issues";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { addTimelineEntry } from "./add-timeline-entry.ts";
import type { ChangedBy } from "./change-issue.ts";
import { requireIssue } from "./require-issue.ts";
import { updateIssue } from "./stored-issue.ts";

export const COMMENT_LIMIT_REACHED = `Comment limit reached (${MAX_ISSUE_COMMENTS})`;

export const COMMENT_LENGTH = `text must be between 1 and ${MAX_COMMENT_LENGTH} characters`;

/** The text of a comment that was sent. */
export function parseComment(text: unknown): string {
  const trimmed = typeof text === "string" ? text.trim() : "";
  if (trimmed === "" || trimmed.length > MAX_COMMENT_LENGTH) throw new HttpError(400, COMMENT_LENGTH);
  return trimmed;
}

/** Comments on an issue, which takes it on. Returns the id of the entry. The caller has locked the workspace's issues. */
export async function addComment(
  trx: Database,
  workspaceId: WorkspaceId,
  { number, text }: { number: number; text: string },
  by: ChangedBy,
): Promise<string> {
  const issue = await requireIssue(trx, workspaceId, number);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from issue_timeline
    where workspace_id = ${workspaceId} and number = ${number} and kind = 'commented'`.execute(trx);
  if ((rows[0]?.count ?? 0) >= MAX_ISSUE_COMMENTS) throw new HttpError(409, COMMENT_LIMIT_REACHED);
  await updateIssue(trx, workspaceId, issue, { isAcknowledged: true }, { isTouched: true });
  return addTimelineEntry(trx, workspaceId, { number, kind: "commented", by, details: { text } });
}

/** Deletes a comment; false if there is none with this id. */
export async function deleteComment(
  trx: Database,
  workspaceId: WorkspaceId,
  { number, id }: { number: number; id: string },
): Promise<boolean> {
  const { rows } = await sql`
    delete from issue_timeline
    where workspace_id = ${workspaceId} and number = ${number} and id::text = ${id} and kind = 'commented'
    returning id`.execute(trx);
  return rows.length > 0;
}
