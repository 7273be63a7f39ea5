import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { textList } from "../db/statements/text-list.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { payloadBeginnings } from "../payloads/payload-beginnings.ts";
import { requestText } from "../traces/previews/request-text.ts";

export interface AgentSessionDescription {
  agents: string[];
  firstRequest: string | null;
}

const MAX_AGENTS = 4;
const MAX_NAME_LENGTH = 200;
/** The names of a session's agents are taken from its earliest traces. */
const MAX_TRACES = 50;
/** Finding the first span of a trace takes a scan of all its spans. */
const MAX_SPANS = 5_000;
/** As stored. PostgreSQL decompresses metadata completely, even to return its beginning. */
const MAX_METADATA_BYTES = 64 * 1024;
/** Enough for a system prompt before the user's message. */
const MAX_PAYLOAD_LENGTH = 16_000;
/** How many spans are looked at for one with an input. */
const MAX_CANDIDATES = 20;

/** Reads which agents took part in each session, and what its first trace was asked. */
export async function describeAgentSessions(
  db: Database,
  workspaceId: WorkspaceId,
  sessionIds: string[],
): Promise<Map<string, AgentSessionDescription>> {
  if (sessionIds.length === 0) return new Map();
  const { rows } = await sql<{
    sessionId: string;
    agents: string[] | null;
    traceId: string | null;
    positions: number[] | null;
    metadata: string | null;
  }>`
    select session.id as session_id, names.agents, first.id as trace_id, candidates.positions, first.metadata
    from unnest(${textList(sessionIds)}) as session (id)
    left join lateral (
      select array_agg(name order by first_started_at) as agents from (
        select left(name, ${MAX_NAME_LENGTH}) as name, min(started_at) as first_started_at from (
          select name, started_at from traces
          where workspace_id = ${workspaceId} and session_id = session.id
          order by started_at, id limit ${MAX_TRACES}
        ) as earliest
        group by 1 order by 2, 1 limit ${MAX_AGENTS}
      ) as agents
    ) as names on true
    left join lateral (
      select id, span_count, case when pg_column_size(metadata) <= ${MAX_METADATA_BYTES}
          then left(metadata::text, ${MAX_PAYLOAD_LENGTH}) end as metadata
      from (
        select id, span_count, metadata from traces
        where workspace_id = ${workspaceId} and session_id = session.id
        order by started_at, id limit 1
      ) as earliest
    ) as first on true
    left join lateral (
      select array_agg(position order by parent_span_id is not null, started_at, position) as positions from (
        select position, parent_span_id, started_at from spans
        where workspace_id = ${workspaceId} and trace_id = first.id and first.span_count <= ${MAX_SPANS}
        order by parent_span_id is not null, started_at, position limit ${MAX_CANDIDATES}
      ) as earliest
    ) as candidates on true`.execute(db);
  const candidates = rows.flatMap(({ traceId, positions }) =>
    traceId !== null && positions ? [{ traceId, positions }] : [],
  );
  const inputs = await payloadBeginnings(db, workspaceId, "input", candidates, MAX_PAYLOAD_LENGTH);
  return new Map(
    rows.map(({ sessionId, agents, traceId, metadata }) => [
      sessionId,
      {
        agents: agents ?? [],
        firstRequest:
          requestText(inputs.get(traceId ?? "") ?? null, "any value") ?? requestText(metadata, "named value"),
      },
    ]),
  );
}
