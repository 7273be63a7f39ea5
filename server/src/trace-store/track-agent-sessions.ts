import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { isSharded } from "../db/sharding.ts";
import { textList } from "../db/text-list.ts";
import type { TraceSummary } from "./tenant-batch.ts";

/** Adds new traces to their agent sessions. The users are sorted. A new trace can only make a session's last start later. */
export async function addAgentSessions(
  trx: Database,
  tenants: { userId: string; traces: TraceSummary[] }[],
): Promise<void> {
  const touched = tenants.flatMap(({ userId, traces }) => {
    const lastStartedAt = new Map<string, number>();
    for (const { sessionId, startedAt } of traces)
      if (sessionId !== null)
        lastStartedAt.set(sessionId, Math.max(startedAt, lastStartedAt.get(sessionId) ?? startedAt));
    return [...lastStartedAt]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, startedAt]) => ({ userId, id, startedAt: new Date(startedAt) }));
  });
  // A cluster passes on rows that are given one by one; others it would collect first.
  const isGiven = isSharded(trx) || touched.length === 1;
  for (let start = 0; start < touched.length; start += MAX_GIVEN) {
    const chunk = touched.slice(start, start + MAX_GIVEN);
    const rows = isGiven
      ? sql`values ${sql.join(chunk.map(({ userId, id, startedAt }) => sql`(${userId}::uuid, ${id}, ${startedAt}::timestamptz)`))}`
      : sql`select "userId", id, "startedAt" from json_to_recordset(${JSON.stringify(chunk)}::json)
          as touched ("userId" uuid, id text, "startedAt" timestamptz)`;
    await sql`${sql.raw(isGiven && chunk.length > 1 ? "" : "/* prepared */")}
      insert into agent_sessions (user_id, session_id, last_started_at) ${rows}
      on conflict (user_id, session_id) do update set last_started_at = excluded.last_started_at
      where agent_sessions.last_started_at < excluded.last_started_at`.execute(trx);
  }
}

/** So many rows a statement. */
const MAX_GIVEN = 1_000;

/**
 * Brings agent sessions up to date after traces of theirs were replaced or deleted. The transaction must hold the lock of
 * the user's totals, so that the traces that this reads cannot change before it commits.
 */
export async function refreshAgentSessions(
  trx: Database,
  userId: string,
  sessionIds: Iterable<string | null>,
): Promise<void> {
  const touched = [...new Set(sessionIds)].filter((id) => id !== null).sort();
  if (touched.length === 0) return;
  const newest = sql`
    select touched.session_id, last.started_at
    from unnest(${textList(touched)}) as touched (session_id)
    left join lateral (
      select started_at from traces
      where user_id = ${userId} and session_id = touched.session_id
      order by started_at desc limit 1
    ) as last on true`;
  await sql`
    insert into agent_sessions (user_id, session_id, last_started_at)
    select ${userId}, session_id, started_at from (${newest}) as newest where started_at is not null
    on conflict (user_id, session_id) do update set last_started_at = excluded.last_started_at
    where agent_sessions.last_started_at <> excluded.last_started_at`.execute(trx);
  await sql`
    delete from agent_sessions
    where user_id = ${userId} and session_id in (
      select session_id from (${newest}) as newest where started_at is null)`.execute(trx);
}
