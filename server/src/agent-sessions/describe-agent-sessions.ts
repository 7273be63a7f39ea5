import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { textList } from "../db/text-list.ts";
import { inputBeginnings } from "../payloads/payload-beginnings.ts";
import { requestText } from "./request-text.ts";

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
/** As stored. PostgreSQL decompresses a payload completely, even to return its beginning. */
const MAX_PAYLOAD_BYTES = 64 * 1024;
/** Enough for a system prompt before the user's message. */
const MAX_PAYLOAD_LENGTH = 16_000;
/** How many spans are looked at for one with an input. */
const MAX_CANDIDATES = 20;

const beginning = (column: string) => {
  const payload = sql.ref(column);
  return sql`case when pg_column_size(${payload}) <= ${MAX_PAYLOAD_BYTES} then left(${payload}::text, ${MAX_PAYLOAD_LENGTH}) end`;
};

/** Reads which agents took part in each session, and what its first trace was asked. */
export async function describeAgentSessions(
  db: Database,
  userId: string,
  sessionIds: string[],
): Promise<Map<string, AgentSessionDescription>> {
  if (sessionIds.length === 0) return new Map();
  const { rows } = await sql<{
    sessionId: string;
    agents: string[] | null;
    traceId: string | null;
    input: string | null;
    packedPositions: number[] | null;
    metadata: string | null;
  }>`
    select session.id as session_id, names.agents, first.id as trace_id, request.input, packed.positions as packed_positions,
      first.metadata
    from unnest(${textList(sessionIds)}) as session (id)
    left join lateral (
      select array_agg(name order by first_started_at) as agents from (
        select left(name, ${MAX_NAME_LENGTH}) as name, min(started_at) as first_started_at from (
          select name, started_at from traces
          where user_id = ${userId} and session_id = session.id
          order by started_at, id limit ${MAX_TRACES}
        ) as earliest
        group by 1 order by 2, 1 limit ${MAX_AGENTS}
      ) as agents
    ) as names on true
    left join lateral (
      select id, span_count, ${beginning("metadata")} as metadata from (
        select id, span_count, metadata from traces
        where user_id = ${userId} and session_id = session.id
        order by started_at, id limit 1
      ) as earliest
    ) as first on true
    left join lateral (
      select ${beginning("input")} as input from (
        select input from spans
        where user_id = ${userId} and trace_id = first.id and first.span_count <= ${MAX_SPANS} and input is not null
        order by parent_span_id is not null, started_at, position limit 1
      ) as earliest
    ) as request on true
    left join lateral (
      select array_agg(position order by parent_span_id is not null, started_at, position) as positions from (
        select position, parent_span_id, started_at from spans
        where user_id = ${userId} and trace_id = first.id and first.span_count <= ${MAX_SPANS} and is_packed
        order by parent_span_id is not null, started_at, position limit ${MAX_CANDIDATES}
      ) as earliest
    ) as packed on true`.execute(db);
  const candidates = rows.flatMap(({ traceId, packedPositions }) =>
    traceId !== null && packedPositions ? [{ traceId, positions: packedPositions }] : [],
  );
  const packedInputs = await inputBeginnings(db, userId, candidates, MAX_PAYLOAD_LENGTH);
  return new Map(
    rows.map(({ sessionId, agents, traceId, input, metadata }) => [
      sessionId,
      {
        agents: agents ?? [],
        firstRequest:
          requestText(input ?? packedInputs.get(traceId ?? "") ?? null, "any value") ??
          requestText(metadata, "named value"),
      },
    ]),
  );
}
