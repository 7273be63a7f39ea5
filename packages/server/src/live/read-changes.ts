import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { type Cursor, START } from "./cursor.ts";

/** A reader that missed more than this reloads its lists, which is cheaper. Less than a stream buffers. */
const MAX_BYTES = 192 * 1_024;
/** Most readers have missed a few changes. A change can have 32 KiB, so PostgreSQL is asked for many only if those before were small. */
const PAGE_ROWS = [16, 64, 256, 512];

/** The changes of one transaction. */
export interface Change extends Cursor {
  /** A JSON array; null if readers before this change must reload. */
  traces: string | null;
}

/** The last changes of a workspace's traces, which all streams of the workspace share. */
export interface RecentChanges {
  newest: Cursor;
  /** In order and without gaps. */
  changes: Change[];
}

const CHANGED_AT_US = sql<number>`(extract(epoch from changed_at) * 1000000)::bigint`;

/**
 * Reads the newest changes, back to position `from` or until they are too many to send. The change at `from` comes without its
 * traces: it only tells whether a cursor is valid.
 */
export async function readRecentChanges(
  account: Database,
  workspaceId: WorkspaceId,
  from: number,
): Promise<RecentChanges> {
  const db = await account.of(workspaceId);
  const newestFirst: Change[] = [];
  let bytes = 0;
  for (const rows of PAGE_ROWS) {
    const before = newestFirst.at(-1)?.position;
    const page = await readPage(db, workspaceId, { from, before, rows, maxBytes: MAX_BYTES - bytes });
    for (const change of page) {
      newestFirst.push(change);
      bytes += change.traces === null ? 0 : Buffer.byteLength(change.traces);
      if (change.traces === null) break;
    }
    if (page.length < rows || newestFirst.at(-1)?.traces === null) break;
  }
  const [last] = newestFirst;
  const newest = last ? cursorOf(last) : await newestCursor(db, workspaceId);
  return { newest, changes: newestFirst.reverse() };
}

interface Page {
  from: number;
  before: number | undefined;
  rows: number;
  maxBytes: number;
}

async function readPage(db: Database, workspaceId: WorkspaceId, { from, before, rows, maxBytes }: Page) {
  const older = before === undefined ? sql`` : sql`and position < ${before}`;
  const page = await sql<Change>`
    select position, changed_at_us, case when position > ${from} and bytes <= ${maxBytes} then traces end as traces
    from (
      select position, ${CHANGED_AT_US} as changed_at_us, traces,
        sum(octet_length(traces::text)) over (order by position desc) as bytes
      from (
        select position, changed_at, traces from trace_changes
        where workspace_id = ${workspaceId} and position >= ${from} ${older} order by position desc limit ${rows}
      ) as page
    ) as measured order by position desc`.execute(db);
  return page.rows;
}

/** The changes after a cursor; undefined if it is not known, or if there are too many: then the reader must reload. */
export function changesAfter({ newest, changes }: RecentChanges, cursor: Cursor): Change[] | undefined {
  const start = changes.findIndex(({ position }) => position > cursor.position);
  const missed = start < 0 ? [] : changes.slice(start);
  const at = cursor.position === 0 ? START : changes[changes.length - missed.length - 1];
  const isKnown = at?.position === cursor.position && at.changedAtUs === cursor.changedAtUs;
  const isNext = (missed[0]?.position ?? newest.position + 1) === cursor.position + 1;
  return isKnown && isNext && missed.every(({ traces }) => traces !== null) ? missed : undefined;
}

export async function newestCursor(db: Database, workspaceId: WorkspaceId): Promise<Cursor> {
  const { rows } = await sql<Cursor>`
    select position, ${CHANGED_AT_US} as changed_at_us from trace_changes
    where workspace_id = ${workspaceId} order by position desc limit 1`.execute(await db.of(workspaceId));
  return rows[0] ?? START;
}

const cursorOf = ({ position, changedAtUs }: Cursor): Cursor => ({ position, changedAtUs });
