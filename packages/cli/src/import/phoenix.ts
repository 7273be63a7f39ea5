import { attributesOf, Fields, isObject, toAttribute, toMs } from "./fields.ts";
import { spanIdOf, traceIdOf } from "./ids.ts";
import type { Imported, ImportedScore, ImportedSpan, ImportReport } from "./imported.ts";
import { optional } from "./langfuse.ts";
import { withStartTimes } from "./start-times.ts";

const NO_PLACE = new Set(
  "id cumulative_llm_token_count_total cumulative_llm_token_count_prompt cumulative_llm_token_count_completion cumulative_error_count latency_ms updated_at user_id identifier index".split(
    " ",
  ),
);
const SOURCES: Readonly<Record<string, ImportedScore["source"]>> = {
  HUMAN: "person",
  LLM: "judge",
  CODE: "code",
};

/** Spans and annotations of Phoenix, from its API or from a data frame as JSON, in any order. */
export function fromPhoenix(records: Record<string, unknown>[], report: ImportReport): Imported {
  const isSpan = (one: Record<string, unknown>) => "start_time" in one || "span_kind" in one;
  const timed = withStartTimes(records.filter(isSpan), {
    kind: "spans",
    start: "start_time",
    end: "end_time",
    idOf: (one) => contextOf(one).spanId,
    parentOf: ({ parent_id }) => parent_id,
    traceOf: (one) => contextOf(one).traceId,
    report,
  });
  const spans = timed.map((one) => convertSpan(one, report));
  const traceOf = new Map(spans.map(({ spanId, traceId }) => [spanId, traceId]));
  return {
    spans,
    scores: records.filter((one) => !isSpan(one)).flatMap((one) => convertAnnotation(one, traceOf, report)),
  };
}

/** A data frame has a column for each part of the context. */
function contextOf(record: Record<string, unknown>): { traceId: string; spanId: string } {
  const context = isObject(record.context) ? record.context : {};
  return {
    traceId: String(context.trace_id ?? record["context.trace_id"] ?? ""),
    spanId: String(context.span_id ?? record["context.span_id"] ?? ""),
  };
}

function convertSpan(record: Record<string, unknown>, report: ImportReport): ImportedSpan {
  const fields = new Fields(record, { kind: "spans", report, without: NO_PLACE });
  const { traceId, spanId } = contextOf(record);
  fields.take("context", "context.trace_id", "context.span_id");
  const parent = fields.text("parent_id");
  const startMs = fields.startMs("start_time");
  const status = fields.text("status_code");
  const message = fields.text("status_message");
  const kind = fields.text("span_kind");
  const events = fields.list("events");
  const given = fields.record("attributes");
  // A data frame has a column for each attribute.
  const columns = Object.keys(record).filter((name) => name.startsWith("attributes."));
  const attributes = {
    ...flatten(given),
    ...Object.fromEntries(
      columns.flatMap((name) => {
        const value = fields.take(name);
        return value === undefined
          ? []
          : Object.entries(flatten({ [name.slice("attributes.".length)]: value }));
      }),
    ),
  };
  return {
    traceId: traceIdOf(traceId),
    spanId: spanIdOf(spanId),
    ...(parent !== undefined && { parentSpanId: spanIdOf(parent) }),
    name: fields.text("name") ?? "span",
    startMs,
    endMs: fields.timeMs("end_time") ?? startMs,
    ...(status === "ERROR" && { error: message ?? "ERROR" }),
    attributes: {
      ...optional("openinference.span.kind", kind),
      ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, toAttribute(value)])),
      ...fields.rest("phoenix."),
    },
    events: events.filter(isObject).map((event) => ({
      name: String(event.name ?? "event"),
      timeMs: toMs(event.timestamp) ?? startMs,
      attributes: attributesOf(isObject(event.attributes) ? flatten(event.attributes) : {}, ""),
    })),
  };
}

/** Nested attributes by their dotted names, as OpenInference writes them. Lists of objects get numbers. */
function flatten(values: Record<string, unknown>, prefix = ""): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
      const path = `${prefix}${name}`;
      // Its value is JSON by the conventions.
      if (path === "metadata") return [[path, toAttribute(value)]];
      if (isObject(value)) return Object.entries(flatten(value, `${path}.`));
      if (Array.isArray(value) && value.some(isObject))
        return value.flatMap((one, index) =>
          Object.entries(flatten(isObject(one) ? one : { value: one }, `${path}.${index}.`)),
        );
      return value === null || value === undefined ? [] : [[path, value]];
    }),
  );
}

function convertAnnotation(
  record: Record<string, unknown>,
  traceOf: Map<string, string>,
  report: ImportReport,
): ImportedScore[] {
  const fields = new Fields(record, { kind: "annotations", report, without: NO_PLACE });
  const span = fields.text("span_id", "context.span_id");
  const trace = fields.text("trace_id");
  const spanId = span === undefined ? undefined : spanIdOf(span);
  const traceId = trace === undefined ? traceOf.get(spanId ?? "") : traceIdOf(trace);
  const result = new Fields(fields.record("result"), { kind: "annotations", report, without: NO_PLACE });
  // A data frame has a column for each part of the result.
  const score = result.take("score") ?? fields.take("result.score", "score");
  const label = result.text("label") ?? fields.text("result.label", "label");
  const explanation = result.text("explanation") ?? fields.text("result.explanation", "explanation");
  const value = score ?? label;
  const name = fields.text("name", "annotation_name") ?? "annotation";
  if (traceId === undefined) {
    report.leaveOut("span", "annotations");
    return [];
  }
  if (typeof value !== "number" && typeof value !== "boolean" && typeof value !== "string") {
    report.leaveOut("value", "annotations");
    return [];
  }
  const id = String(record.id ?? record.identifier ?? "") || `${traceId}-${spanId ?? ""}-${name}`;
  return [
    {
      id: `phoenix-${id}`,
      traceId,
      ...(spanId !== undefined && { spanId }),
      name,
      value,
      ...(typeof value === "number" && label !== undefined && { label }),
      source: SOURCES[fields.text("annotator_kind") ?? ""] ?? "code",
      comment: explanation,
      timestamp: fields.isoTime("created_at"),
      metadata: { ...fields.record("metadata"), ...result.rest(""), ...fields.rest("") },
    },
  ];
}
