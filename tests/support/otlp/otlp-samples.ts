/*
 * OTLP requests as objects of OTLP/JSON. `encodeOtlp` turns them into protobuf.
 */

export interface SampleSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: object[];
  events?: object[];
  status?: { code: number; message?: string };
}

/** An AnyValue. */
export function otlpValue(value: unknown): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(otlpValue) } };
  if (typeof value === "object" && value !== null) return { kvlistValue: { values: otlpAttributes(value) } };
  return {};
}

export const otlpAttributes = (values: object): { key: string; value: object }[] =>
  Object.entries(values).map(([key, value]) => ({ key, value: otlpValue(value) }));

export const otlpTraces = (spans: readonly object[]) => ({
  resourceSpans: [
    {
      resource: { attributes: otlpAttributes({ "service.name": "support-agent" }) },
      scopeSpans: [{ scope: { name: "sample", version: "1.0.0" }, spans }],
    },
  ],
});

export const otlpNanos = (ms: number) => `${ms}000000`;

const START_MS = Date.parse("2026-01-02T03:04:05.000Z");
const STEP_MS = 10;
const TOOLS = ["lookup_order", "track_shipment", "issue_refund"];
const FAILS_EVERY = 7;
const DECIDES_EVERY = 5;

const spanId = (index: number) => (index + 1).toString(16).padStart(16, "0");

/**
 * The spans of an agent's run in the conventions of OpenTelemetry: a root, then calls of a model in turn with the tool
 * that the model chose. Spans come in the order of their start; an SDK sends the root last.
 */
export function agentRun(traceId: string, spanCount: number): SampleSpan[] {
  return Array.from({ length: spanCount }, (_, index) => {
    if (index === 0) return rootSpan(traceId, spanCount);
    return index % 2 === 1 ? modelSpan(traceId, index) : toolSpan(traceId, index);
  });
}

const times = (startIndex: number, endIndex: number) => ({
  startTimeUnixNano: otlpNanos(START_MS + startIndex * STEP_MS),
  endTimeUnixNano: otlpNanos(START_MS + endIndex * STEP_MS),
});

function rootSpan(traceId: string, spanCount: number): SampleSpan {
  return {
    traceId,
    spanId: spanId(0),
    name: "invoke_agent support",
    ...times(0, spanCount),
    attributes: otlpAttributes({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "support",
      "session.id": `session-${traceId.slice(0, 4)}`,
      "tag.tags": ["sample", `tag-${traceId.slice(0, 2)}`],
    }),
  };
}

function modelSpan(traceId: string, index: number): SampleSpan {
  const tool = TOOLS[index % TOOLS.length];
  const call = { type: "tool_call", id: `call-${index}`, name: tool, arguments: { order: index } };
  const thought = { type: "reasoning", content: `Step ${index} needs ${tool}.` };
  const decision = {
    timeUnixNano: otlpNanos(START_MS + index * STEP_MS + 1),
    name: "whytrace.decision",
    attributes: otlpAttributes({
      "whytrace.decision.type": "ROUTING",
      "whytrace.decision.chosen": "gold",
      "whytrace.decision.alternatives": ["silver", "bronze"],
    }),
  };
  return {
    traceId,
    spanId: spanId(index),
    parentSpanId: spanId(0),
    name: "chat gpt-5.4-mini",
    ...times(index, index + 1),
    attributes: otlpAttributes({
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "gpt-5.4-mini",
      "gen_ai.usage.input_tokens": 100 + index,
      "gen_ai.usage.output_tokens": 10 + (index % 50),
      "gen_ai.tool.definitions": JSON.stringify(TOOLS.map((name) => ({ type: "function", name }))),
      "gen_ai.input.messages": JSON.stringify([
        { role: "user", parts: [{ type: "text", content: `Where is order ${index}?` }] },
      ]),
      "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts: [thought, call] }]),
    }),
    ...(index % DECIDES_EVERY === 0 && { events: [decision] }),
    status: { code: 0 },
  };
}

function toolSpan(traceId: string, index: number): SampleSpan {
  const hasFailed = index % FAILS_EVERY === 0;
  const exception = {
    timeUnixNano: otlpNanos(START_MS + index * STEP_MS + 2),
    name: "exception",
    attributes: otlpAttributes({
      "exception.type": "TimeoutError",
      "exception.message": `No answer ${index}`,
    }),
  };
  return {
    traceId,
    spanId: spanId(index),
    parentSpanId: spanId(0),
    name: `execute_tool ${TOOLS[(index - 1) % TOOLS.length]}`,
    ...times(index, index + 1),
    attributes: otlpAttributes({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": TOOLS[(index - 1) % TOOLS.length],
      "gen_ai.tool.call.arguments": JSON.stringify({ order: index }),
      "gen_ai.tool.call.result": JSON.stringify({ state: "in transit" }),
    }),
    ...(hasFailed && { events: [exception] }),
    status: hasFailed ? { code: 2, message: `No answer ${index}` } : { code: 0 },
  };
}
