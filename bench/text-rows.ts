import { CHILDREN, type ChildKind, type Fields, type ParsedTrace, TRACE } from "@whytrace/contract";
import { isPackedKind, PACKED_FIELDS, PACKED_KINDS } from "../server/src/payloads/packed-fields.ts";
import { PayloadPacker } from "../server/src/payloads/payload-packer.ts";
import { decisionSearch } from "../server/src/trace-store/decision-search.ts";
import { columnOf } from "../server/src/trace-store/record-columns.ts";
import { FACTS_COLUMNS, traceFacts } from "../server/src/trace-store/trace-facts.ts";
import { arrayText, type ColumnTypes, readRows, type TextRows } from "./copy-text.ts";
import type { IngestBatch } from "./ingest-batches.ts";

/** Whether payloads are in the rows of their spans and events, or packed per trace. */
export type Packing = "unpacked" | "packed";

const TABLES: Readonly<Record<ChildKind, string>> = {
  spans: "spans",
  events: "events",
  decisionPoints: "decision_points",
};

/**
 * Every row of a batch of new traces, except for the server's counters, without the server's encoder: so PostgreSQL alone
 * can be measured with unpacked rows too, whatever the server writes.
 */
export async function writeTextRows(
  { tenant: { userId }, traces }: IngestBatch,
  packing: Packing,
  types: ColumnTypes,
): Promise<TextRows[]> {
  const isPacked = packing === "packed";
  return [
    {
      table: "trace_owners",
      columns: ["trace_id", "user_id"],
      rows: traces.map(({ id }) => [id, userId]),
    },
    traceRows(userId, traces, isPacked),
    ...(["spans", "events", "decisionPoints"] as const).map((kind) =>
      childRows(kind, userId, traces, isPacked && isPackedKind(kind)),
    ),
    ...(isPacked ? [await payloadRows(userId, traces, types)] : []),
  ];
}

function traceRows(userId: string, traces: ParsedTrace[], isPacked: boolean): TextRows {
  const counts = ["span_count", "decision_point_count", "event_count"];
  return {
    table: "traces",
    columns: [
      "user_id",
      ...Object.keys(TRACE.fields).map(columnOf),
      ...counts,
      "is_packed",
      ...FACTS_COLUMNS,
    ],
    rows: traces.map((trace) => [
      userId,
      ...fieldTexts(TRACE.fields, trace),
      String(trace.spans.length),
      String(trace.decisionPoints.length),
      String(trace.events.length),
      String(isPacked),
      ...factsTexts(trace),
    ]),
  };
}

function factsTexts(trace: ParsedTrace): (string | null)[] {
  const { agentHash, facts, path, errorCount, decisionTypes, metadataPairs } = traceFacts(trace);
  const text = (bytes: Uint8Array | null) => bytes && `\\x${Buffer.from(bytes).toString("hex")}`;
  const numbers = [errorCount, decisionTypes].map(String);
  return [
    agentHash === null ? null : String(agentHash),
    text(facts),
    text(path),
    ...numbers,
    metadataPairs && arrayText(metadataPairs),
  ];
}

function childRows(kind: ChildKind, userId: string, traces: ParsedTrace[], isPacked: boolean): TextRows {
  const fields: Fields = isPackedKind(kind) && isPacked ? withoutPayloads(kind) : CHILDREN[kind].fields;
  const derived = kind === "decisionPoints" ? ["search_text", "choice"] : isPacked ? ["is_packed"] : [];
  return {
    table: TABLES[kind],
    columns: ["user_id", "trace_id", "position", ...Object.keys(fields).map(columnOf), ...derived],
    rows: traces.flatMap((trace) =>
      trace[kind].map((child, position) => [
        userId,
        trace.id,
        String(position),
        ...fieldTexts(fields, child),
        ...(isPacked ? ["true"] : []),
        ...searchTexts(kind, trace, position),
      ]),
    ),
  };
}

const withoutPayloads = (kind: "spans" | "events"): Fields =>
  Object.fromEntries(
    Object.entries(CHILDREN[kind].fields).filter(([name]) => !PACKED_FIELDS[kind].includes(name)),
  );

function searchTexts(kind: ChildKind, trace: ParsedTrace, position: number): (string | null)[] {
  const decision = trace.decisionPoints[position];
  if (kind !== "decisionPoints" || !decision) return [];
  const { searchText, choice } = decisionSearch(trace.name, decision);
  return [searchText, choice];
}

async function payloadRows(userId: string, traces: ParsedTrace[], types: ColumnTypes): Promise<TextRows> {
  const packer = new PayloadPacker(64 * 1024);
  const user = Buffer.from(userId.replaceAll("-", ""), "hex");
  for (const trace of traces) {
    packer.beginTrace(user, trace.id);
    for (const kind of PACKED_KINDS)
      for (const [position, child] of trace[kind].entries()) packer.add(kind, position, child);
    packer.endTrace();
  }
  return readRows(await packer.finish(), types);
}

const fieldTexts = (fields: Fields, record: Readonly<Record<string, unknown>>) =>
  Object.entries(fields).map(([name, type]) => fieldText(type, record[name]));

function fieldText(type: Fields[string], value: unknown): string | null {
  if (value === null || value === undefined) return null;
  switch (type) {
    case "instant":
    case "optionalInstant":
      return new Date(Number(value)).toISOString();
    case "json":
    case "jsonArray":
    case "payload":
      return JSON.stringify(value);
    case "tags":
      return arrayText(Array.isArray(value) ? value : []);
    default:
      return String(value);
  }
}
