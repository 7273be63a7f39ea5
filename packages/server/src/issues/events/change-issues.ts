import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { ChangedBy, ChangeIssue } from "../change-issue.ts";
import { requireIssues } from "../require-issue.ts";
import type { IssueEvent } from "./issue-event.ts";
import { tellIssues } from "./tell-issues.ts";

interface ChangedIssues {
  numbers: readonly number[];
  apply: ChangeIssue;
}

/** Changes issues, all or none, and announces it. Returns how many. The caller has locked the workspace's issues. */
export async function changeIssues(
  trx: Database,
  workspaceId: WorkspaceId,
  { numbers, apply }: ChangedIssues,
  by: ChangedBy,
): Promise<number> {
  const issues = await requireIssues(trx, workspaceId, numbers);
  const events: IssueEvent[] = [];
  for (const issue of issues) {
    const event = await apply(trx, workspaceId, issue, by);
    if (event) events.push(event);
  }
  await tellIssues(trx, workspaceId, events);
  return issues.length;
}
