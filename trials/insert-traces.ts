import { execute } from "@whytrace/testing/databases.ts";

export interface InsertedTraces {
  traceCount: number;
  isPacked: boolean;
  /** SQL of the time at which trace n started and was stored. */
  at?: string;
  /** How many of these traces the user already had. */
  after?: number;
}

/** Inserts traces of five rows directly: two spans, a decision point and an event each, ten traces to an agent session. */
export async function insertTraces(
  url: string,
  userId: string,
  {
    traceCount,
    isPacked,
    at = `timestamptz '2026-01-01' + n * interval '1 second'`,
    after = 0,
  }: InsertedTraces,
): Promise<void> {
  const from = `from generate_series(${after + 1}, ${after + traceCount}) as n`;
  await execute(
    url,
    `set synchronous_commit = off;
     insert into trace_owners (trace_id, user_id) select md5(n::text), '${userId}' ${from};
     insert into traces (user_id, id, name, session_id, status, tags, metadata, total_cost, total_duration, started_at,
       created_at, span_count, decision_point_count, event_count, is_packed)
     select '${userId}', md5(n::text), 'run ' || n % 100, 'session ' || n / 10, 'COMPLETED', '{trial}', '{"n":1}',
       n % 97, n % 89, ${at}, ${at}, 2, 1, 1, ${isPacked} ${from};
     insert into spans (user_id, trace_id, id, position, name, type, input, status, started_at)
     select '${userId}', md5(n::text), 'span ' || i, i, 'call model', 'LLM_CALL',
       json_build_object('text', repeat('word ', 40)), 'COMPLETED', ${at} ${from}, generate_series(0, 1) as i;
     insert into decision_points (user_id, trace_id, id, position, type, reasoning, chosen, alternatives, timestamp,
       search_text, choice)
     select '${userId}', md5(n::text), 'decision', 0, 'TOOL_SELECTION', 'cheapest ' || n % 1000, '"search"', '[]', ${at},
       'run' || chr(10) || 'cheapest ' || n % 1000, 'search' ${from};
     insert into events (user_id, trace_id, id, position, type, name, timestamp)
     select '${userId}', md5(n::text), 'event', 0, 'CUSTOM', 'retry', ${at} ${from};
     insert into agent_sessions (user_id, session_id, last_started_at)
     select '${userId}', 'session ' || n / 10, max(${at}) ${from} group by n / 10
     on conflict (user_id, session_id) do update set last_started_at = excluded.last_started_at;
     insert into trace_totals as totals (user_id, completed, tool_selection)
     values ('${userId}', ${traceCount}, ${traceCount})
     on conflict (user_id) do update set completed = totals.completed + excluded.completed,
       tool_selection = totals.tool_selection + excluded.tool_selection`,
  );
  await execute(url, "vacuum analyze");
  await execute(url, "checkpoint");
}
