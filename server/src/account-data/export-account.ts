import { sql } from "kysely";
import { listApiKeys } from "../api-keys/list-api-keys.ts";
import { type CurrentSession, listSignIns } from "../auth/sessions.ts";
import { readUsage } from "../billing/usage.ts";
import type { Database } from "../db/database.ts";
import { getTrace } from "../traces/get-trace.ts";

const IDS_PER_QUERY = 200;

/**
 * Yields all data of a user as NDJSON, each line with a `kind`, the last line with the kind `end`. Traces are read one
 * at a time with backpressure: memory holds one trace, and no transaction stays open for a slow client.
 */
export async function* exportAccount(db: Database, session: CurrentSession): AsyncGenerator<string> {
  const { user } = session;
  yield toNdjsonLine("user", user);
  const usage = await readUsage(db, user.id);
  if (usage) yield toNdjsonLine("subscription", usage);
  for (const key of await listApiKeys(db, user.id)) yield toNdjsonLine("apiKey", key);
  for (const signIn of await listSignIns(db, session)) yield toNdjsonLine("session", signIn);
  let traces = 0;
  for await (const id of traceIds(db, user.id)) {
    const trace = await getTrace(db, user.id, id, "whole");
    // The trace was deleted after its id was read.
    if (trace === undefined) continue;
    yield `{"kind":"trace",${trace.slice(1)}\n`;
    traces += 1;
  }
  yield toNdjsonLine("end", { traces });
}

async function* traceIds(db: Database, userId: string): AsyncGenerator<string> {
  let last = "";
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from traces where user_id = ${userId} and id > ${last} order by id limit ${IDS_PER_QUERY}`.execute(
      db,
    );
    for (const { id } of rows) yield id;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < IDS_PER_QUERY) return;
  }
}

const toNdjsonLine = (kind: string, record: object) => `${JSON.stringify({ kind, ...record })}\n`;
