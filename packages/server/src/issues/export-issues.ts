import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** An issue with what happened to it. What its runs have in common is in the traces. */
interface ExportedIssue {
  number: number;
  status: string;
  createdAt: string;
  resolution: object | null;
  regression: object | null;
  ignored: object | null;
  mergedInto: number | null;
  assigneeId: string | null;
  externalUrl: string | null;
  timeline: object[];
}

/** All issues of a workspace for the export of its data. */
export async function exportIssues(db: Database, workspaceId: WorkspaceId): Promise<ExportedIssue[]> {
  const [issues, entries] = await Promise.all([
    sql<Omit<ExportedIssue, "timeline">>`
      select number, status, created_at, resolution, regression, ignored, merged_into, assignee_id, external_url
      from issues where workspace_id = ${workspaceId} order by number`.execute(db),
    sql<{ number: number; at: string; kind: string; byUser: string | null; details: object }>`
      select number, at, kind, by_user, details from issue_timeline
      where workspace_id = ${workspaceId} order by number, at, id`.execute(db),
  ]);
  const timelineOf = Map.groupBy(entries.rows, ({ number }) => number);
  return issues.rows.map((issue) => ({
    ...issue,
    timeline: (timelineOf.get(issue.number) ?? []).map(({ number: _number, ...entry }) => entry),
  }));
}
