import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { insertedRows } from "../../db/statements/inserted-rows.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { TraceSummary } from "../batch/workspace-batch.ts";

/** Adds new traces to their agent sessions. The workspaces are sorted. A new trace can only make a session's last start later. */
export async function addAgentSessions(
  trx: Database,
  workspaces: { workspaceId: WorkspaceId; traces: TraceSummary[] }[],
): Promise<void> {
  const touched = workspaces.flatMap(({ workspaceId, traces }) => {
    const lastStartedAt = new Map<string, number>();
    for (const { sessionId, startedAt } of traces)
      if (sessionId !== null)
        lastStartedAt.set(sessionId, Math.max(startedAt, lastStartedAt.get(sessionId) ?? startedAt));
    return [...lastStartedAt]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, startedAt]) => ({ workspaceId, id, startedAt: new Date(startedAt) }));
  });
  for (let start = 0; start < touched.length; start += MAX_GIVEN) {
    const { prepared, inserted } = insertedRows(trx, touched.slice(start, start + MAX_GIVEN), {
      value: ({ workspaceId, id, startedAt }) =>
        sql`(${workspaceId}::uuid, ${id}, ${startedAt}::timestamptz)`,
      select: (
        chunk,
      ) => sql`select "workspaceId", id, "startedAt" from json_to_recordset(${JSON.stringify(chunk)}::json)
          as touched ("workspaceId" uuid, id text, "startedAt" timestamptz)`,
    });
    await sql`${prepared}
      insert into agent_sessions (workspace_id, session_id, last_started_at) ${inserted}
      on conflict (workspace_id, session_id) do update set last_started_at = excluded.last_started_at
      where agent_sessions.last_started_at < excluded.last_started_at`.execute(trx);
  }
}

/** Rows per statement. */
const MAX_GIVEN = 1_000;

/**
 * Brings agent sessions up to date after traces of theirs were replaced or deleted. The transaction must hold the lock of
 * the workspace's totals, so that the traces that this reads cannot change before it commits.
 */
export async function refreshAgentSessions(
  trx: Database,
  workspaceId: WorkspaceId,
  sessionIds: Iterable<string | null>,
): Promise<void> {
  const touched = [...new Set(sessionIds)].filter((id) => id !== null).sort();
  if (touched.length === 0) return;
  const newest = sql`
    select touched.session_id, last.started_at
    from unnest(${textList(touched)}) as touched (session_id)
    left join lateral (
      select started_at from traces
      where workspace_id = ${workspaceId} and session_id = touched.session_id
      order by started_at desc limit 1
    ) as last on true`;
  await sql`
    insert into agent_sessions (workspace_id, session_id, last_started_at)
    select ${workspaceId}, session_id, started_at from (${newest}) as newest where started_at is not null
    on conflict (workspace_id, session_id) do update set last_started_at = excluded.last_started_at
    where agent_sessions.last_started_at <> excluded.last_started_at`.execute(trx);
  await sql`
    delete from agent_sessions
    where workspace_id = ${workspaceId} and session_id in (
      select session_id from (${newest}) as newest where started_at is null)`.execute(trx);
}
