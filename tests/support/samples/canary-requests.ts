import { DECISION_POINT, EVENT, type Fields, SPAN, TRACE } from "@whytrace/contract";
import {
  ATTRIBUTE_RULES,
  FLATTENED_LISTS,
} from "../../../packages/server/src/otlp/conventions/conventions.ts";
import { otlpAttributes, otlpValue } from "../otlp/otlp-samples.ts";
import { nanos, otlpId, otlpSpan } from "../otlp/sample-otlp.ts";
import type { Canaries } from "./canaries.ts";
import { decision, event, span, trace } from "./sample-traces.ts";

/* What is sent with values of every type that is masked in every field, by the doors for traces. */

/** Of the fields of the contract, those whose values are ids, which are never masked. */
const REFERENCES = new Set(["parentSpanId", "spanId"]);
/** What the conventions of OpenTelemetry say about models and ids, which are never masked. */
const UNMASKED_SLOTS = new Set(["responseModel", "requestModel", "bareModel", "callId"]);

/** A value for each field of a record that a sender may fill with a text. */
function filled(canaries: Canaries, label: string, fields: Fields): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [field, type] of Object.entries(fields)) {
    const place = `${label}.${field}`;
    if (type === "payload" || type === "json") values[field] = canaries.payload(place);
    else if (type === "jsonArray") values[field] = [canaries.payload(place), canaries.text(place)];
    else if (type === "tags") values[field] = [canaries.text(place), `release:${canaries.text(place)}`];
    else if (type === "name" || type === "text") values[field] = canaries.text(place);
    else if (type === "reference" && !REFERENCES.has(field)) values[field] = canaries.text(place);
  }
  return values;
}

/** A trace with a value in each of its fields and of its children's. */
export const canaryTrace = (canaries: Canaries, decisionPointId: string) =>
  trace({
    ...filled(canaries, "trace", TRACE.fields),
    status: "ERROR",
    spans: [
      span({ ...filled(canaries, "span", SPAN.fields), status: "ERROR" }),
      span({ output: [canaries.text("span.output, a piece"), "and more"] }),
    ],
    decisionPoints: [
      decision({ ...filled(canaries, "decision", DECISION_POINT.fields), id: decisionPointId }),
    ],
    events: [event(filled(canaries, "event", EVENT.fields))],
  });

/** A span for each attribute that is known, as a text and as an object or its JSON, and one with everything else. */
export function canarySpans(canaries: Canaries, encoding: "json" | "protobuf", traceId: string) {
  const door = `${encoding}:`;
  const known = [...ATTRIBUTE_RULES].filter(([, { slot }]) => !UNMASKED_SLOTS.has(slot)).map(([key]) => key);
  const listed = FLATTENED_LISTS.flatMap(({ prefix }) => [
    `${prefix}0.message.content`,
    `${prefix}0.content`,
    `${prefix}0.message.tool_calls.0.tool_call.function.arguments`,
  ]);
  const spans = [...known, ...listed].flatMap((key) => [
    otlpSpan(traceId, { [key]: canaries.text(`${door} ${key}`) }),
    otlpSpan(traceId, {
      [key]:
        encoding === "json"
          ? JSON.stringify(canaries.payload(`${door} ${key} as JSON`))
          : canaries.payload(`${door} ${key} as an object`),
    }),
  ]);
  const other = {
    name: canaries.text(`${door} name`),
    status: { code: 2, message: canaries.text(`${door} status`) },
    attributes: otlpAttributes({
      "gen_ai.operation.name": "chat",
      [canaries.text(`${door} key`)]: canaries.text(`${door} unknown`),
    }),
    events: eventsOf(canaries, `${door} event`).map(({ name, attributes }) => ({
      name,
      attributes: otlpAttributes(attributes),
      timeUnixNano: nanos(1),
    })),
    links: [{ traceId, spanId: otlpId(8), attributes: otlpAttributes(canaries.payload(`${door} link`)) }],
  };
  spans.push(otlpSpan(traceId, {}, other));
  const scope = { name: canaries.text(`${door} scope`), version: canaries.text(`${door} version`) };
  const service = { "service.version": canaries.text(`${door} service.version`) };
  const resource = { attributes: otlpAttributes({ ...canaries.payload(`${door} resource`), ...service }) };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] };
}

const MESSAGES = ["system.message", "user.message", "assistant.message", "tool.message", "choice"];

/** Events of spans that are read in a way of their own, and one that is not. */
function eventsOf(canaries: Canaries, door: string): { name: string; attributes: object }[] {
  const text = (place: string) => canaries.text(`${door} ${place}`);
  const json = (place: string) => JSON.stringify(canaries.payload(`${door} ${place}`));
  return [
    ...MESSAGES.flatMap((kind) => [
      { name: `gen_ai.${kind}`, attributes: { content: text(kind), message: json(kind), other: text(kind) } },
      { name: `gen_ai.${kind}`, attributes: { "gen_ai.event.content": json(kind) } },
    ]),
    {
      name: "gen_ai.client.inference.operation.details",
      attributes: {
        "gen_ai.input.messages": JSON.stringify([{ role: "user", parts: [text("details")] }]),
        "gen_ai.output.messages": JSON.stringify([
          { role: "assistant", parts: [{ type: "tool_call", name: "send", arguments: json("call") }] },
        ]),
        "gen_ai.system_instructions": text("system"),
        "gen_ai.tool.definitions": JSON.stringify([{ name: text("tool"), description: text("tool") }]),
      },
    },
    {
      name: "whytrace.decision",
      attributes: Object.fromEntries(
        ["type", "chosen", "alternatives", "reasoning", "context"].map((field) => [
          `whytrace.decision.${field}`,
          field === "context" ? json(field) : text(field),
        ]),
      ),
    },
    {
      name: "exception",
      attributes: {
        "exception.type": text("type"),
        "exception.message": text("message"),
        "exception.stacktrace": text("stack"),
      },
    },
    { name: "tool.output", attributes: { output: text("tool output") } },
    {
      name: "gen_ai.evaluation.result",
      attributes: {
        "gen_ai.evaluation.name": text("evaluation name"),
        "gen_ai.evaluation.score.value": 1,
        "gen_ai.evaluation.score.label": text("evaluation label"),
        "gen_ai.evaluation.explanation": text("explanation"),
        other: json("evaluation"),
      },
    },
    { name: text("name"), attributes: canaries.payload(`${door} custom`) },
  ];
}

const CLAUDE_RECORDS = [
  { body: "claude_code.tool_result", id: "tool_use_id", text: "tool_input" },
  { body: "claude_code.assistant_response", id: "request_id", text: "response" },
];

/** The same as log records, with their fields as attributes or as the body. */
export function canaryLogs(canaries: Canaries, door: string, traceId: string) {
  const record = { traceId, spanId: otlpId(8), timeUnixNano: nanos(1) };
  const logRecords = [
    ...eventsOf(canaries, `${door} attributes`).map(({ name, attributes }) => ({
      ...record,
      eventName: name,
      attributes: otlpAttributes(attributes),
    })),
    ...eventsOf(canaries, `${door} body`).map(({ name, attributes }) => ({
      ...record,
      eventName: name,
      body: otlpValue(attributes),
    })),
    ...CLAUDE_RECORDS.map(({ body, id, text }) => ({
      ...record,
      body: otlpValue(body),
      attributes: otlpAttributes({ [id]: "1", [text]: canaries.text(`${door} ${body}`) }),
    })),
  ];
  const scope = { name: canaries.text(`${door} scope`) };
  return { resourceLogs: [{ scopeLogs: [{ scope, logRecords }] }] };
}
