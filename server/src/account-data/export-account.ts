import { sql } from "kysely";
import { listApiKeys } from "../api-keys/list-api-keys.ts";
import { type CurrentSession, listSignIns } from "../auth/sessions.ts";
import { readUsage } from "../billing/usage.ts";
import type { Database } from "../db/database.ts";
import { getTrace } from "../traces/get-trace.ts";

const CHUNK = 200;

/**
 * Everything a user owns, a JSON object a line with its `kind`. Traces are read one at a time as the receiver takes
 * them, so memory holds one, and no transaction stays open for a slow receiver. The last line says it is the last.
 */
export async function* exportAccount(db: Database, session: CurrentSession): AsyncGenerator<string> {
  const { user } = session;
  yield line("user", user);
  const usage = await readUsage(db, user.id);
  if (usage) yield line("subscription", usage);
  for (const key of await listApiKeys(db, user.id)) yield line("apiKey", key);
  for (const signIn of await listSignIns(db, session)) yield line("session", signIn);
  let traces = 0;
  for await (const id of traceIds(db, user.id)) {
    const trace = await getTrace(db, user.id, id, "whole");
    // Deleted since its id was read: then it is not the user's any more.
    if (trace === undefined) continue;
    yield `{"kind":"trace",${trace.slice(1)}\n`;
    traces += 1;
  }
  yield line("end", { traces });
}

async function* traceIds(db: Database, userId: string): AsyncGenerator<string> {
  let last = "";
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from traces where user_id = ${userId} and id > ${last} order by id limit ${CHUNK}`.execute(
      db,
    );
    for (const { id } of rows) yield id;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < CHUNK) return;
  }
}

const line = (kind: string, record: object) => `${JSON.stringify({ kind, ...record })}\n`;
