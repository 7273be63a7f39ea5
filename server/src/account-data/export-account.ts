import { signatureToHex } from "@whytrace/contract";
import { sql } from "kysely";
import { listApiKeys } from "../api-keys/list-api-keys.ts";
import { type CurrentSession, listSignIns } from "../auth/sessions.ts";
import { readUsage } from "../billing/usage.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import { listDecisionRules } from "../insights/rules/list-decision-rules.ts";
import { listSetAside } from "../insights/scorecards/set-aside.ts";
import { listPriceRules } from "../prices/list-price-rules.ts";
import { getTrace, type StoredTrace } from "../traces/get-trace.ts";
import { readAllVerdicts } from "../verdicts/read-all-verdicts.ts";

const IDS_PER_QUERY = 200;
/** One export of a user runs at a time, so its turns need no limit. */
const CONTINUED = { isContinued: true };

/**
 * Yields all data of a user as NDJSON, each line with a `kind`, the last line with the kind `end`. Traces are read one
 * at a time, each in the user's turn: memory holds one trace, and no connection waits for a slow client.
 */
export async function* exportAccount(
  { db, reads }: { db: Database; reads: FairDatabase },
  session: CurrentSession,
): AsyncGenerator<Buffer[]> {
  const { user } = session;
  yield toNdjsonLine("user", user);
  const usage = await readUsage(db, user.id);
  if (usage) yield toNdjsonLine("subscription", usage);
  for (const key of await listApiKeys(db, user.id)) yield toNdjsonLine("apiKey", key);
  for (const rule of await listPriceRules(db, user.id)) yield toNdjsonLine("priceRule", rule);
  for (const { kind: ruleKind, ...rule } of await listDecisionRules(db, user.id))
    yield toNdjsonLine("decisionRule", { ...rule, ruleKind });
  for (const signIn of await listSignIns(db, session)) yield toNdjsonLine("session", signIn);
  for (const signature of await listSetAside(db, user.id))
    yield toNdjsonLine("decisionSetAside", { signature: signatureToHex(signature) });
  for await (const verdict of readAllVerdicts(reads, user.id)) yield toNdjsonLine("verdict", verdict);
  let traces = 0;
  for await (const id of traceIds(reads, user.id)) {
    const trace = await reads.run(
      user.id,
      (_db, client) => getTrace(client, user.id, id, "whole"),
      CONTINUED,
    );
    // The trace was deleted after its id was read.
    if (trace === undefined) continue;
    yield* traceLine(trace);
    traces += 1;
  }
  yield toNdjsonLine("end", { traces });
}

async function* traceLine(trace: StoredTrace): AsyncGenerator<Buffer[]> {
  let isFirst = true;
  for await (const [first, ...rest] of trace.chunks()) {
    if (first) yield isFirst ? [TRACE_START, first.subarray(1), ...rest] : [first, ...rest];
    isFirst = false;
  }
  yield [LINE_END];
}

async function* traceIds(reads: FairDatabase, userId: string): AsyncGenerator<string> {
  let last = "";
  for (;;) {
    const { rows } = await reads.run(
      userId,
      (db) =>
        sql<{ id: string }>`
        select id from traces where user_id = ${userId} and id > ${last} order by id limit ${IDS_PER_QUERY}`.execute(
          db,
        ),
      CONTINUED,
    );
    for (const { id } of rows) yield id;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < IDS_PER_QUERY) return;
  }
}

const TRACE_START = Buffer.from('{"kind":"trace",');
const LINE_END = Buffer.from("\n");

const toNdjsonLine = (kind: string, record: object) => [
  Buffer.from(`${JSON.stringify({ kind, ...record })}\n`),
];
