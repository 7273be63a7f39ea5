import { randomUUID } from "node:crypto";
import type { TimelineKind } from "@whytrace/contract/schemas/issues/issues";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

interface NewTimelineEntry {
  number: number;
  kind: TimelineKind;
  /** Undefined: the server or an API key. */
  by?: string | undefined;
  details?: Readonly<Record<string, unknown>>;
}

/** Records what happened to an issue; returns the id of the entry. */
export async function addTimelineEntry(
  trx: Database,
  workspaceId: WorkspaceId,
  { number, kind, by, details = {} }: NewTimelineEntry,
): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into issue_timeline (workspace_id, number, id, kind, by_user, details)
    values (${workspaceId}, ${number}, ${id}, ${kind}, ${by ?? null}::uuid, ${JSON.stringify(details)}::jsonb)`.execute(
    trx,
  );
  return id;
}
