import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { otlpAttributes } from "@whytrace/testing/otlp/otlp-samples.ts";
import { logsRequest, OTLP_START_MS, otlpId, otlpSpan } from "@whytrace/testing/otlp/sample-otlp.ts";
import { decision, event, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { RawRequest } from "./raw-request.ts";

/** What an attacker sends to store one trace, or many, and the ids by which it is read again. */
export interface SentShape {
  requests: (() => RawRequest)[];
  traceId: string;
  spanId: string;
  decisionPointId: string;
  eventId: string;
}

/** Builds a shape; `scale` is 1, 2 or 4, and all work over the shape should grow with it at most linearly. */
export type TraceShape = (scale: number) => SentShape;

const AT = new Date(OTLP_START_MS).toISOString();
const CHAT = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-4o" };
const range = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index));
const hex = (index: number) => (index + 1).toString(16).padStart(16, "0");
const small = (index: number, more: object = {}) =>
  span({ id: `s${index}`, name: "n", type: "CUSTOM", startedAt: AT, ...more });
const chain = (count: number, more: object = {}) =>
  range(count, (i) => small(i, { ...(i > 0 && { parentSpanId: `s${i - 1}` }), ...more }));
const choice = (index: number, more: object = {}) =>
  decision({ id: `d${index}`, chosen: "a", alternatives: ["b"], timestamp: AT, ...more });
const failure = (index: number) =>
  event({ id: `e${index}`, name: `error ${index}`, type: "ERROR", timestamp: AT });

/** One trace in one request by POST /api/traces, with a span, a decision and an event if it has no others. */
const posted = (fields: Record<string, unknown>): SentShape =>
  postedTraces([
    trace({
      startedAt: AT,
      status: "ERROR",
      spans: [small(0)],
      decisionPoints: [choice(0)],
      events: [failure(0)],
      ...fields,
    }),
  ]);

function postedTraces(traces: { id: string }[]): SentShape {
  const body = JSON.stringify({ traces });
  return {
    requests: [() => ({ body, headers: { "content-type": "application/json" } })],
    traceId: traces[0]?.id ?? "",
    spanId: "s0",
    decisionPointId: "d0",
    eventId: "e0",
  };
}

/** A trace by OTLP, one request for each of `bodies`, compressed when it is sent. */
function exported(traceId: string, bodies: (() => object)[], path = "/v1/traces"): SentShape {
  return {
    requests: bodies.map((build) => () => ({
      path,
      body: gzipSync(JSON.stringify(build()), { level: 1 }),
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
    })),
    traceId,
    spanId: hex(0),
    decisionPointId: `${hex(0)}-call-0`,
    eventId: `${hex(0)}-event-0`,
  };
}

const spansOf = (spans: object[], resource: object = {}, scope: object = {}) => ({
  resourceSpans: [{ resource: { attributes: otlpAttributes(resource) }, scopeSpans: [{ scope, spans }] }],
});
const sentSpan = (traceId: string, index: number, values: object = {}, more: Record<string, unknown> = {}) =>
  otlpSpan(traceId, values, { spanId: hex(index), name: "s", ...more });
const logRecord = (traceId: string, text: string) => ({
  traceId,
  spanId: hex(0),
  timeUnixNano: `${OTLP_START_MS}000000`,
  eventName: "gen_ai.choice",
  attributes: otlpAttributes({ "event.name": "gen_ai.choice" }),
  body: { kvlistValue: { values: otlpAttributes({ message: text }) } },
});
/** One trace by OTLP in one request. */
const exportedOnce = (build: (traceId: string) => object, path?: string) => {
  const traceId = otlpId(16);
  return exported(traceId, [() => build(traceId)], path);
};

const LONG_KEY = "k".repeat(17_000);
/** Texts of one length above 16,383 characters have the same hash in V8. */
const longText = (index: number) => "x".repeat(17_000) + (100_000 + index);
const wideContext = (bytes: number) => Object.fromEntries(range(bytes / 16, (i) => [`key${i}`, i]));
const deepContext = (levels: number): object =>
  range(levels, () => 0).reduce<object>((inner) => ({ k: inner, v: 1 }), { end: 1 });

/** The worst that a tenant is known to be able to send, by name. */
export const TRACE_SHAPES: Readonly<Record<string, TraceShape>> = {
  "nested spans": (scale) => posted({ spans: chain(20_000 * scale) }),
  "nested failed spans": (scale) => posted({ spans: chain(15_000 * scale, { status: "ERROR" }) }),
  "failed spans in the innermost of a chain": (scale) =>
    posted({
      spans: [
        ...chain(8_000 * scale),
        ...range(8_000 * scale, (i) =>
          small(i, { id: `f${i}`, parentSpanId: `s${8_000 * scale - 1}`, status: "ERROR" }),
        ),
      ],
    }),
  "spans beside each other": (scale) =>
    posted({ spans: range(18_000 * scale, (i) => small(i, { parentSpanId: "s0", status: "ERROR" })) }),
  "spans in a ring": (scale) =>
    posted({
      spans: range(18_000 * scale, (i) => small(i, { parentSpanId: `s${(i + 1) % (18_000 * scale)}` })),
    }),
  "one span id many times": (scale) => posted({ spans: range(18_000 * scale, () => small(0)) }),
  "decisions at the end of a chain": (scale) =>
    posted({
      spans: chain(8_000 * scale, { type: "LLM_CALL" }),
      decisionPoints: range(8_000 * scale, (i) => choice(i, { parentSpanId: `s${8_000 * scale - 1}` })),
    }),
  "a decision in each nested span": (scale) =>
    posted({
      spans: chain(8_000 * scale),
      decisionPoints: range(8_000 * scale, (i) => choice(i, { parentSpanId: `s${i}` })),
    }),
  "decisions that all differ": (scale) =>
    posted({
      decisionPoints: range(10_000 * scale, (i) =>
        choice(i, { chosen: randomUUID(), alternatives: [`x${i}`] }),
      ),
    }),
  "many alternatives": (scale) =>
    posted({
      decisionPoints: range(60 * scale, (i) => choice(i, { alternatives: range(3_000, (n) => `o${n}`) })),
    }),
  "reasons of many words": (scale) =>
    posted({
      decisionPoints: range(250 * scale, (i) =>
        choice(i, {
          alternatives: range(200, (n) => `option${n}`),
          reasoning: "not option1 but rather ".repeat(170),
        }),
      ),
    }),
  "a long key over many values": (scale) =>
    posted({
      decisionPoints: [choice(0, { contextSnapshot: { [LONG_KEY]: wideContext(16 * 500 * scale) } })],
    }),
  "a wide context of 2 MiB": (scale) =>
    posted({ decisionPoints: [choice(0, { contextSnapshot: wideContext(2 ** 19 * scale) })] }),
  "deep contexts": (scale) =>
    posted({ decisionPoints: range(500 * scale, (i) => choice(i, { contextSnapshot: deepContext(60) })) }),
  "error events": (scale) => posted({ events: range(15_000 * scale, failure) }),
  "long error messages": (scale) =>
    posted({
      spans: range(150 * scale, (i) => small(i, { status: "ERROR", statusMessage: `${i} a1`.repeat(3_000) })),
    }),
  "many models": (scale) =>
    posted({
      spans: range(5_000 * scale, (i) =>
        small(i, { type: "LLM_CALL", metadata: { model: `model-${i}`, inputTokens: 1, outputTokens: 1 } }),
      ),
    }),
  "many tags": (scale) =>
    postedTraces(
      range(40 * scale, (i) =>
        trace({
          startedAt: AT,
          tags: range(1_000, (n) => `${i * 1_000 + n} is a tag of forty characters`),
          spans: [small(0)],
          decisionPoints: [choice(0)],
          events: [failure(0)],
        }),
      ),
    ),
  "nothing repeats": (scale) =>
    postedTraces(
      range(1_000 * scale, (i) =>
        trace({
          startedAt: AT,
          name: `agent ${randomUUID()}`,
          tags: [`v1.0.${i % 10}`, `tag ${i}`],
          sessionId: `session ${i}`,
          metadata: { [`key ${i}`]: `value ${i}` },
          status: i % 3 ? "COMPLETED" : "ERROR",
          spans: [small(0)],
          decisionPoints: [choice(0, { chosen: `c${randomUUID()}`, alternatives: [`x${i}`] })],
          events: [failure(0)],
        }),
      ),
    ),
  "one trace id many times": (scale) => {
    const id = randomUUID();
    return postedTraces(
      range(500 * scale, (i) =>
        trace({ id, name: `n${i}`, startedAt: AT, spans: [small(0)], decisionPoints: [choice(0)] }),
      ),
    );
  },
  "one huge value": (scale) => posted({ metadata: { filling: "ab".repeat(1_000_000 * scale) } }),
  "OTLP: a large resource": (scale) =>
    exportedOnce((id) =>
      spansOf(
        range(800, (i) => sentSpan(id, i)),
        { filling: "x".repeat(250_000 * scale) },
      ),
    ),
  "OTLP: many attributes of a resource": (scale) =>
    exportedOnce((id) =>
      spansOf(
        range(1_500, (i) => sentSpan(id, i)),
        Object.fromEntries(range(5_000 * scale, (i) => [`key.${i}`, "a value of the process"])),
      ),
    ),
  "OTLP: a large scope": (scale) =>
    exportedOnce((id) =>
      spansOf(
        range(800, (i) => sentSpan(id, i)),
        {},
        { name: "x".repeat(250_000 * scale), version: "y".repeat(250_000 * scale) },
      ),
    ),
  "OTLP: links and exceptions": (scale) =>
    exportedOnce((id) =>
      spansOf([
        sentSpan(id, 0, CHAT, {
          links: range(5_000 * scale, (i) => ({ traceId: id, spanId: hex(i + 1) })),
          events: range(5_000 * scale, (i) => ({
            name: "exception",
            timeUnixNano: `${OTLP_START_MS}000000`,
            attributes: otlpAttributes({ "exception.message": `m${i}` }),
          })),
        }),
      ]),
    ),
  "OTLP: one span id many times": (scale) =>
    exportedOnce((id) => spansOf(range(10_000 * scale, () => sentSpan(id, 0, CHAT)))),
  "OTLP: spans in a ring": (scale) =>
    exportedOnce((id) =>
      spansOf(
        range(6_000 * scale, (i) => sentSpan(id, i, CHAT, { parentSpanId: hex((i + 1) % (6_000 * scale)) })),
      ),
    ),
  "OTLP: decisions at the end of a chain": (scale) =>
    exportedOnce((id) =>
      spansOf(
        range(4_000 * scale, (i) =>
          sentSpan(id, i, CHAT, {
            ...(i > 0 && { parentSpanId: hex(i - 1) }),
            ...(i === 4_000 * scale - 1 && {
              events: range(4_000 * scale, () => ({
                name: "whytrace.decision",
                timeUnixNano: `${OTLP_START_MS}000000`,
                attributes: otlpAttributes({
                  "whytrace.decision.type": "ROUTING",
                  "whytrace.decision.chosen": "a",
                }),
              })),
            }),
          }),
        ),
      ),
    ),
  "OTLP: long texts in an answer": (scale) =>
    exportedOnce((id) => {
      const parts = [
        { type: "tool_call", id: "c", name: "t", arguments: {} },
        ...range(100 * scale, (i) => ({ type: "text", content: longText(i) })),
        ...range(20 * scale, (i) => ({
          type: "tool_call",
          id: `c${i}`,
          name: "t",
          arguments: { a: longText(i) },
        })),
      ];
      const answer = JSON.stringify([{ role: "assistant", parts }]);
      return spansOf([sentSpan(id, 0, { ...CHAT, "gen_ai.output.messages": answer })]);
    }),
  "OTLP: flattened messages": (scale) =>
    exportedOnce((id) =>
      spansOf([
        sentSpan(id, 0, {
          ...CHAT,
          ...Object.fromEntries(range(10_000 * scale, (i) => [`gen_ai.prompt.${i}.content`, "x"])),
        }),
      ]),
    ),
  "OTLP: 300,000 spans in pieces": (scale) => {
    const id = otlpId(16);
    const piece = (first: number) => () =>
      spansOf(
        range(15_000, (i) =>
          sentSpan(id, first + i, CHAT, { ...(first + i > 0 && { parentSpanId: hex(0) }) }),
        ),
      );
    return exported(
      id,
      range(5 * scale, (i) => piece(i * 15_000)),
    );
  },
  "OTLP: 72 MiB in pieces": (scale) => {
    const id = otlpId(16);
    const filling = (i: number) => range(50_000, (n) => `${i}-${n}-`.padEnd(160, randomUUID())).join("");
    return exported(
      id,
      range(
        Math.round(2.25 * scale),
        (i) => () =>
          spansOf([sentSpan(id, i, { ...CHAT, x: filling(i) }, { ...(i > 0 && { parentSpanId: hex(0) }) })]),
      ),
    );
  },
  "OTLP: log records of many traces": (scale) =>
    exportedOnce(() => logsRequest(range(10_000 * scale, () => logRecord(otlpId(16), "x"))), "/v1/logs"),
  "OTLP: log records of one span": (scale) => {
    const id = otlpId(16);
    const spans = exported(id, [() => spansOf([sentSpan(id, 0, CHAT)])]);
    const logs = exported(
      id,
      [() => logsRequest(range(120 * scale, (i) => logRecord(id, longText(i))))],
      "/v1/logs",
    );
    return { ...spans, requests: [...spans.requests, ...logs.requests] };
  },
};
