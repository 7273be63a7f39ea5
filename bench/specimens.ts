import { sql } from "kysely";
import type { Database } from "../server/src/db/database.ts";

/** Things of a tenant that single reads ask for, spread over all its time. */
export interface Specimens {
  spans: { traceId: string; id: string }[];
  sessionIds: string[];
}

const COUNT = 220;

export async function findSpecimens(db: Database, userId: string): Promise<Specimens> {
  // Ordered by a hash: the same ones on each run, from everywhere.
  const { rows: spans } = await sql<{ traceId: string; id: string }>`
    select distinct on (trace_id) trace_id, id from spans
    where user_id = ${userId} and trace_id in (
      select id from traces where user_id = ${userId} order by md5(id) limit ${COUNT})`.execute(db);
  const { rows: sessions } = await sql<{ sessionId: string }>`
    select session_id from (
      select distinct session_id from traces where user_id = ${userId} and session_id is not null
    ) as sessions order by md5(session_id) limit ${COUNT}`.execute(db);
  return { spans, sessionIds: sessions.map(({ sessionId }) => sessionId) };
}
