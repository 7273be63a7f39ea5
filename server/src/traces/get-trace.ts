import { CHILDREN, type ChildKind, TRACE } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { snapshot } from "../db/transaction.ts";
import { writeList, writeRecord } from "../http/write-json.ts";
import { jsonFields, outlineFields, payloadFields, selectFields } from "../trace-store/record-columns.ts";

/** An outline omits the payloads. */
export type TraceDetail = "whole" | "outline";

const TABLES: Readonly<Record<ChildKind, string>> = {
  spans: "spans",
  decisionPoints: "decision_points",
  events: "events",
};
/** The order in which a response lists a trace's children. */
const KINDS = ["spans", "decisionPoints", "events"] as const satisfies ChildKind[];

const TRACE_JSON = new Set(jsonFields(TRACE.fields));
const CHILD_JSON = {
  spans: new Set(jsonFields(CHILDREN.spans.fields)),
  decisionPoints: new Set(jsonFields(CHILDREN.decisionPoints.fields)),
  events: new Set(jsonFields(CHILDREN.events.fields)),
};

/** Returns a trace as JSON text, its children in the order sent; undefined if the user has no trace with this id. */
export function getTrace(
  db: Database,
  userId: string,
  traceId: string,
  detail: TraceDetail,
): Promise<string | undefined> {
  // All queries read one snapshot, so they see a concurrent replacement completely or not at all.
  return snapshot(db, async (trx) => {
    const { rows } = await sql<object>`
      select ${selectFields(traceFields(detail))} from traces
      where user_id = ${userId} and id = ${traceId}`.execute(trx);
    const [trace] = rows;
    if (!trace) return undefined;
    const lists: string[] = [];
    for (const kind of KINDS) {
      const { rows: children } = await sql<object>`
        select ${selectFields(childFields(kind, detail))} from ${sql.table(TABLES[kind])}
        where user_id = ${userId} and trace_id = ${traceId} order by position`.execute(trx);
      lists.push(`"${kind}":${writeList(children.map((child) => writeRecord(child, CHILD_JSON[kind])))}`);
    }
    return `${writeRecord(trace, TRACE_JSON).slice(0, -1)},${lists.join(",")}}`;
  });
}

/** Returns one span, decision point or event with its payloads, as JSON text. */
export async function getChild(
  db: Database,
  userId: string,
  traceId: string,
  { kind, id }: { kind: ChildKind; id: string },
): Promise<string | undefined> {
  const { rows } = await sql<object>`
    select ${selectFields(childFields(kind, "whole"))} from ${sql.table(TABLES[kind])}
    where user_id = ${userId} and trace_id = ${traceId} and id = ${id}`.execute(db);
  return rows[0] && writeRecord(rows[0], CHILD_JSON[kind]);
}

function traceFields(detail: TraceDetail): string[] {
  const [id = "id", ...rest] = outlineFields(TRACE.fields);
  return [id, "userId", ...rest, "createdAt", ...(detail === "whole" ? payloadFields(TRACE.fields) : [])];
}

function childFields(kind: ChildKind, detail: TraceDetail): string[] {
  const { fields } = CHILDREN[kind];
  return [...outlineFields(fields), ...(detail === "whole" ? payloadFields(fields) : [])];
}
