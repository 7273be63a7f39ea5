import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { snapshot } from "../db/transaction.ts";
import { writeList, writeRecord } from "../http/write-json.ts";

/** `whole`: everything; `outline`: everything but inputs, outputs, metadata and context snapshots. */
export type TraceDetail = "whole" | "outline";

const PAYLOADS = new Set(["metadata", "input", "output", "chosen", "alternatives", "contextSnapshot"]);

const columns = (names: string[]) => sql.join(names.map((name) => sql.ref(name)));
const TRACE = [
  "id",
  "userId",
  "name",
  "sessionId",
  "status",
  "tags",
  "totalCost",
  "totalTokens",
  "totalDuration",
  "startedAt",
  "endedAt",
  "createdAt",
];
const SPAN = [
  "id",
  "parentSpanId",
  "name",
  "type",
  "tokenCount",
  "costUsd",
  "durationMs",
  "status",
  "statusMessage",
  "startedAt",
  "endedAt",
];
const DECISION_POINT = [
  "id",
  "type",
  "reasoning",
  "chosen",
  "alternatives",
  "durationMs",
  "costUsd",
  "parentSpanId",
  "timestamp",
];
const EVENT = ["id", "spanId", "type", "name", "timestamp"];
const SPAN_PAYLOADS = ["input", "output", "metadata"];

/** One trace as JSON text, its children in the order sent; undefined when it is not the user's. */
export function getTrace(
  db: Database,
  userId: string,
  traceId: string,
  detail: TraceDetail,
): Promise<string | undefined> {
  const more = (...names: string[]) => (detail === "whole" ? names : []);
  const ofTrace = sql`user_id = ${userId} and trace_id = ${traceId} order by position`;
  // One snapshot: a replacement that commits meanwhile is seen whole or not at all.
  return snapshot(db, async (trx) => {
    const { rows } = await sql<object>`
      select ${columns([...TRACE, ...more("metadata")])} from traces
      where user_id = ${userId} and id = ${traceId}`.execute(trx);
    const [trace] = rows;
    if (!trace) return undefined;
    const spans =
      await sql<object>`select ${columns([...SPAN, ...more(...SPAN_PAYLOADS)])} from spans where ${ofTrace}`.execute(
        trx,
      );
    const decisionPoints = await sql<object>`
      select ${columns([...DECISION_POINT, ...more("contextSnapshot")])} from decision_points where ${ofTrace}`.execute(
      trx,
    );
    const events =
      await sql<object>`select ${columns([...EVENT, ...more("metadata")])} from events where ${ofTrace}`.execute(
        trx,
      );
    const children = { spans, decisionPoints, events };
    const lists = Object.entries(children).map(
      ([name, { rows: items }]) => `"${name}":${writeList(items.map(write))}`,
    );
    return `${write(trace).slice(0, -1)},${lists.join(",")}}`;
  });
}

/** What can be read one by one: its table, and its columns with the payloads that an outline leaves out. */
const RECORDS = {
  span: { table: "spans", fields: [...SPAN, ...SPAN_PAYLOADS] },
  decisionPoint: { table: "decision_points", fields: [...DECISION_POINT, "contextSnapshot"] },
  event: { table: "events", fields: [...EVENT, "metadata"] },
};

/** One span, decision point or event with its payloads, as JSON text. */
export async function getRecord(
  db: Database,
  userId: string,
  traceId: string,
  { kind, id }: { kind: keyof typeof RECORDS; id: string },
): Promise<string | undefined> {
  const { table, fields } = RECORDS[kind];
  const { rows } = await sql<object>`
    select ${columns(fields)} from ${sql.table(table)}
    where user_id = ${userId} and trace_id = ${traceId} and id = ${id}`.execute(db);
  return rows[0] && write(rows[0]);
}

const write = (record: object) => writeRecord(record, PAYLOADS);
