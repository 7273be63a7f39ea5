import type { IssueTimeline, TimelineEntry, TimelineKind } from "@whytrace/contract/schemas/issues/issues";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import type { Member } from "../workspaces/list-members.ts";

export const INVALID_CURSOR = "Invalid cursor";
/** In the year 2255. */
const MAX_MICROSECONDS = Number.MAX_SAFE_INTEGER;

interface TimelineRow {
  id: string;
  at: string;
  /** Of `at`, since 1970. */
  microseconds: number;
  kind: TimelineKind;
  byUser: string | null;
  details: Record<string, unknown>;
}

interface TimelineQuery {
  /** Only entries of this kind. */
  kind?: TimelineKind;
  cursor: string | undefined;
  limit: number;
  members: readonly Member[];
}

/** What happened to an issue and to those that were merged into it, newest first. */
export async function readTimeline(
  db: Database,
  workspaceId: WorkspaceId,
  number: number,
  { kind, cursor, limit, members }: TimelineQuery,
): Promise<IssueTimeline> {
  const [at, id] = cursor === undefined ? [MAX_MICROSECONDS, ""] : parseCursor(cursor);
  const { rows } = await sql<TimelineRow>`
    select id, at, (extract(epoch from at) * 1000000)::bigint as microseconds, kind, by_user, details from issue_timeline
    where workspace_id = ${workspaceId} and (${kind ?? null}::text is null or kind = ${kind ?? null})
      and (number = ${number} or number in (
        select number from issues where workspace_id = ${workspaceId} and merged_into = ${number}))
      and (at < 'epoch'::timestamptz + ${at}::bigint * interval '1 microsecond' or (at = 'epoch'::timestamptz + ${at}::bigint * interval '1 microsecond' and id::text < ${id}))
    order by at desc, id::text desc limit ${limit + 1}`.execute(db);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    timeline: shown.map((row) => toEntry(row, members)),
    nextCursor: rows.length > limit && last ? `${last.microseconds}_${last.id}` : null,
  };
}

function toEntry(
  { id, at, kind, byUser, details }: Omit<TimelineRow, "microseconds">,
  members: readonly Member[],
): TimelineEntry {
  const { text, ...others } = details;
  return {
    id,
    kind,
    at,
    by:
      byUser === null ? null : (members.find((member) => member.id === byUser) ?? { id: byUser, name: null }),
    ...(typeof text === "string" && { text }),
    details: others,
  };
}

function parseCursor(cursor: string): [microseconds: number, id: string] {
  const [, at, id] = /^(\d{1,16})_([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined || Number(at) > MAX_MICROSECONDS)
    throw new HttpError(400, INVALID_CURSOR);
  return [Number(at), id];
}
