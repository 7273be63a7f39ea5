import { sql } from "kysely";
import type { Database } from "../../../packages/server/src/db/database.ts";

/** Ids of a tenant for reads of single records, spread over its whole time range. */
export interface ReadSamples {
  spans: { traceId: string; id: string }[];
  sessionIds: string[];
}

const SAMPLE_COUNT = 220;

export async function findReadSamples(db: Database, workspaceId: string): Promise<ReadSamples> {
  // Ordering by a hash gives the same random sample on each run.
  const { rows: spans } = await sql<{ traceId: string; id: string }>`
    select distinct on (trace_id) trace_id, id from spans
    where workspace_id = ${workspaceId} and trace_id in (
      select id from traces where workspace_id = ${workspaceId} order by md5(id) limit ${SAMPLE_COUNT})`.execute(
    db,
  );
  const { rows: sessions } = await sql<{ sessionId: string }>`
    select session_id from (
      select distinct session_id from traces where workspace_id = ${workspaceId} and session_id is not null
    ) as sessions order by md5(session_id) limit ${SAMPLE_COUNT}`.execute(db);
  return { spans, sessionIds: sessions.map(({ sessionId }) => sessionId) };
}
