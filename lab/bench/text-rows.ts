import { CHILDREN, type ChildKind, type Fields, type ParsedTrace, TRACE } from "@whytrace/contract";
import { BUILT_IN_DEFINITIONS } from "../../packages/server/src/outcomes/definition.ts";
import { hasPayloadParts, PACKED_KINDS } from "../../packages/server/src/payloads/packed-fields.ts";
import { PayloadPacker } from "../../packages/server/src/payloads/payload-packer.ts";
import {
  COMPUTED_COLUMNS,
  computeColumns,
} from "../../packages/server/src/trace-store/rows/computed-columns.ts";
import { decisionSearch } from "../../packages/server/src/trace-store/rows/decision-search.ts";
import { columnOf, withoutPayloads } from "../../packages/server/src/trace-store/rows/record-columns.ts";
import { arrayText, type ColumnTypes, readRows, type TextRows } from "./copy-text.ts";
import type { IngestBatch } from "./generate/generate-batches.ts";

/** Whether payloads are in columns of spans and events that the benchmark adds, or packed per trace as the server does. */
export type Packing = "unpacked" | "packed";

const TABLES: Readonly<Record<ChildKind, string>> = {
  spans: "spans",
  events: "events",
  decisionPoints: "decision_points",
};

/**
 * Every row of a batch of new traces, except for the server's counters, without the server's encoder: so PostgreSQL alone
 * can be measured with unpacked rows too.
 */
export async function writeTextRows(
  { tenant: { workspaceId }, traces }: IngestBatch,
  packing: Packing,
  types: ColumnTypes,
): Promise<TextRows[]> {
  const isPacked = packing === "packed";
  return [
    {
      table: "trace_owners",
      columns: ["trace_id", "workspace_id"],
      rows: traces.map(({ id }) => [id, workspaceId]),
    },
    traceRows(workspaceId, traces),
    ...(["spans", "events", "decisionPoints"] as const).map((kind) => {
      const { fields } = CHILDREN[kind];
      return childRows(
        kind,
        workspaceId,
        traces,
        isPacked && hasPayloadParts(kind) ? withoutPayloads(fields) : fields,
      );
    }),
    ...(isPacked ? [await payloadRows(workspaceId, traces, types)] : []),
  ];
}

function traceRows(workspaceId: string, traces: ParsedTrace[]): TextRows {
  const counts = ["span_count", "decision_point_count", "event_count", "score_count"];
  return {
    table: "traces",
    columns: ["workspace_id", ...Object.keys(TRACE.fields).map(columnOf), ...counts, ...COMPUTED_COLUMNS],
    rows: traces.map((trace) => [
      workspaceId,
      ...fieldTexts(TRACE.fields, trace),
      String(trace.spans.length),
      String(trace.decisionPoints.length),
      String(trace.events.length),
      // No event of a generated trace is a score.
      "0",
      ...computedTexts(trace),
    ]),
  };
}

function computedTexts(trace: ParsedTrace): (string | null)[] {
  const computed = computeColumns(trace, BUILT_IN_DEFINITIONS);
  const { agentHash, decisionFacts, decisionPath, errorCount, decisionTypes, metadataPairs } = computed;
  const text = (bytes: Uint8Array | null) => bytes && `\\x${Buffer.from(bytes).toString("hex")}`;
  const numbers = [errorCount, decisionTypes].map(String);
  return [
    agentHash === null ? null : String(agentHash),
    text(decisionFacts),
    text(decisionPath),
    ...numbers,
    metadataPairs && arrayText(metadataPairs),
    computed.serviceVersion,
    ...[computed.outcome, computed.outcomeFlags, computed.definition].map(String),
    text(computed.marks),
    computed.problems && `{${computed.problems.join(",")}}`,
  ];
}

function childRows(kind: ChildKind, workspaceId: string, traces: ParsedTrace[], fields: Fields): TextRows {
  const derived = kind === "decisionPoints" ? ["search_text", "choice"] : [];
  return {
    table: TABLES[kind],
    columns: ["workspace_id", "trace_id", "position", ...Object.keys(fields).map(columnOf), ...derived],
    rows: traces.flatMap((trace) =>
      trace[kind].map((child, position) => [
        workspaceId,
        trace.id,
        String(position),
        ...fieldTexts(fields, child),
        ...searchTexts(kind, trace, position),
      ]),
    ),
  };
}

function searchTexts(kind: ChildKind, trace: ParsedTrace, position: number): (string | null)[] {
  const decision = trace.decisionPoints[position];
  if (kind !== "decisionPoints" || !decision) return [];
  const { searchText, choice } = decisionSearch(trace.name, decision);
  return [searchText, choice];
}

async function payloadRows(
  workspaceId: string,
  traces: ParsedTrace[],
  types: ColumnTypes,
): Promise<TextRows> {
  const packer = new PayloadPacker(64 * 1024);
  const user = Buffer.from(workspaceId.replaceAll("-", ""), "hex");
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
