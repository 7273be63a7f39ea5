import type { AuditEvent } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

interface EventFilter {
  action?: string | undefined;
  /** The id of the user or key. */
  actor?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const EXPORT_CHUNK = 500;

/** `reader` sees from where they acted themselves, even if it is hidden from the others. */
const eventColumns = (reader: string) => sql`
  position::float8 as position, at, action, actor::jsonb as actor, target::jsonb as target, details::jsonb as details,
  case when is_origin_private and actor_id is distinct from ${reader}::uuid then null else host(ip) end as ip,
  case when is_origin_private and actor_id is distinct from ${reader}::uuid then null else user_agent end as user_agent`;

/** Newest first, from before the cursor on. */
export async function listEvents(
  db: Database,
  workspaceId: WorkspaceId,
  reader: string,
  { action, actor, from, to, before, limit }: EventFilter & { before: number | undefined; limit: number },
): Promise<{ events: AuditEvent[]; nextCursor: string | null }> {
  const { rows } = await sql<AuditEvent>`
    select ${eventColumns(reader)} from audit_events
    where workspace_id = ${workspaceId}
      and (${before ?? null}::bigint is null or position < ${before ?? null})
      and (${action ?? null}::text is null or action = ${action ?? null})
      and (${actor ?? null}::text is null or actor_id::text = ${actor ?? null})
      and (${from ?? null}::timestamptz is null or at >= ${from ?? null}::timestamptz)
      and (${to ?? null}::timestamptz is null or at < ${to ?? null}::timestamptz)
    order by position desc limit ${limit + 1}`.execute(db);
  const events = rows.slice(0, limit);
  const last = events.at(-1);
  return { events, nextCursor: rows.length > limit && last ? String(last.position) : null };
}

/** All events, oldest first, as NDJSON. The last line says how many. */
export async function* exportEvents(
  db: Database,
  workspaceId: WorkspaceId,
  reader: string,
): AsyncGenerator<Buffer[]> {
  let count = 0;
  for (let after = 0, isLast = false; !isLast; ) {
    const { rows } = await sql<AuditEvent>`
      select ${eventColumns(reader)} from audit_events
      where workspace_id = ${workspaceId} and position > ${after}
      order by position limit ${EXPORT_CHUNK}`.execute(db);
    after = rows.at(-1)?.position ?? after;
    isLast = rows.length < EXPORT_CHUNK;
    count += rows.length;
    yield rows.map((event) => Buffer.from(`${JSON.stringify({ kind: "event", ...event })}\n`));
  }
  yield [Buffer.from(`${JSON.stringify({ kind: "end", events: count })}\n`)];
}
