import { execute } from "@whytrace/testing/postgres/databases.ts";
import { DirectoryWriter } from "../../../packages/server/src/payloads/payload-directory.ts";
import { compressInline } from "../../../packages/server/src/payloads/zstd.ts";

/** The input of each span. */
const INPUT = JSON.stringify({ text: "word ".repeat(40) });
const SPAN_COUNT = 2;

interface InsertedTraces {
  traceCount: number;
  /** SQL of the time at which trace n started and was stored. */
  at?: string;
  /** How many of these traces the user already had. */
  after?: number;
}

/** The payloads of a trace, which are the same in all of them, as SQL. */
const PART = packedPart();

function packedPart(): { directory: string; bytes: string } {
  const literal = (bytes: Buffer) => `'\\x${bytes.toString("hex")}'::bytea`;
  const directory = new DirectoryWriter();
  for (let position = 0; position < SPAN_COUNT; position += 1) {
    directory.addChild("spans", position);
    for (const length of [INPUT.length, null, null]) directory.addLength("spans", length);
  }
  const content = Buffer.from(INPUT.repeat(SPAN_COUNT));
  return { directory: literal(directory.encode(content.length)), bytes: literal(compressInline(content)) };
}

/**
 * Inserts traces of six rows directly: two spans, a part with their payloads, a decision point and an event each, ten traces
 * to an agent session.
 */
export async function insertTraces(
  url: string,
  workspaceId: string,
  { traceCount, at = `timestamptz '2026-01-01' + n * interval '1 second'`, after = 0 }: InsertedTraces,
): Promise<void> {
  const from = `from generate_series(${after + 1}, ${after + traceCount}) as n`;
  await execute(
    url,
    `set synchronous_commit = off;
     insert into trace_owners (trace_id, workspace_id) select md5(n::text), '${workspaceId}' ${from};
     insert into traces (workspace_id, id, name, session_id, status, tags, metadata, total_cost, total_duration, started_at,
       created_at, span_count, decision_point_count, event_count)
     select '${workspaceId}', md5(n::text), 'run ' || n % 100, 'session ' || n / 10, 'COMPLETED', '{trial}', '{"n":1}',
       n % 97, n % 89, ${at}, ${at}, ${SPAN_COUNT}, 1, 1 ${from};
     insert into spans (workspace_id, trace_id, id, position, name, type, status, started_at)
     select '${workspaceId}', md5(n::text), 'span ' || i, i, 'call model', 'LLM_CALL', 'COMPLETED', ${at}
       ${from}, generate_series(0, ${SPAN_COUNT - 1}) as i;
     insert into trace_payloads (workspace_id, trace_id, part, directory, bytes)
     select '${workspaceId}', md5(n::text), 0, ${PART.directory}, ${PART.bytes} ${from};
     insert into decision_points (workspace_id, trace_id, id, position, type, reasoning, chosen, alternatives, timestamp,
       search_text, choice)
     select '${workspaceId}', md5(n::text), 'decision', 0, 'TOOL_SELECTION', 'cheapest ' || n % 1000, '"search"', '[]', ${at},
       'run' || chr(10) || 'cheapest ' || n % 1000, 'search' ${from};
     insert into events (workspace_id, trace_id, id, position, type, name, timestamp)
     select '${workspaceId}', md5(n::text), 'event', 0, 'CUSTOM', 'retry', ${at} ${from};
     insert into agent_sessions (workspace_id, session_id, last_started_at)
     select '${workspaceId}', 'session ' || n / 10, max(${at}) ${from} group by n / 10
     on conflict (workspace_id, session_id) do update set last_started_at = excluded.last_started_at;
     insert into trace_totals as totals (workspace_id, completed, tool_selection)
     values ('${workspaceId}', ${traceCount}, ${traceCount})
     on conflict (workspace_id) do update set completed = totals.completed + excluded.completed,
       tool_selection = totals.tool_selection + excluded.tool_selection`,
  );
  await execute(url, "vacuum analyze");
  await execute(url, "checkpoint");
}
