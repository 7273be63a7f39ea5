import { encodeOtlp } from "@whytrace/testing/otlp/otlp-encoder.ts";
import { describe, expect, it } from "vitest";
import { type OtlpEncoding, readLogs, readTraces } from "./read-otlp.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const SPAN_ID = "b7ad6b7169203331";
const ENCODINGS: OtlpEncoding[] = ["protobuf", "json"];

type Fields = Record<string, unknown>;
const span = (more: Fields = {}) => ({ traceId: TRACE_ID, spanId: SPAN_ID, name: "work", ...more });
const spans = (...list: Fields[]) => ({ resourceSpans: [{ scopeSpans: [{ spans: list }] }] });
const attributes = (values: Fields) => Object.entries(values).map(([key, value]) => ({ key, value }));
const scope = { name: "evals", version: "1.0.0" };
const records = (...list: Fields[]) => ({ resourceLogs: [{ scopeLogs: [{ scope, logRecords: list }] }] });

const encode = (request: object, encoding: OtlpEncoding, signal: "traces" | "logs" = "traces") =>
  encoding === "json" ? Buffer.from(JSON.stringify(request)) : encodeOtlp(request, signal);
const read = (request: object, encoding: OtlpEncoding) => readTraces(encode(request, encoding), encoding);
const readOne = async (request: object, encoding: OtlpEncoding) => {
  const [first] = (await read(request, encoding)).spans;
  if (!first) throw new Error("no span");
  return first;
};

/** A request that uses every field. */
const WHOLE = {
  resourceSpans: [
    {
      resource: {
        attributes: attributes({ "service.name": { stringValue: "shop" } }),
        droppedAttributesCount: 1,
      },
      scopeSpans: [
        {
          scope: { name: "tracer", version: "1.2", attributes: attributes({ a: { boolValue: true } }) },
          schemaUrl: "https://opentelemetry.io/schemas/1.30.0",
          spans: [
            span({
              traceState: "a=b",
              parentSpanId: "00f067aa0ba902b7",
              kind: 3,
              startTimeUnixNano: "1794744640747000000",
              endTimeUnixNano: "1794744640794140273",
              attributes: attributes({
                text: { stringValue: "grüße 🙂, and a text that is a little longer than the short ones are" },
                empty: { stringValue: "" },
                no: { boolValue: false },
                int: { intValue: "-42" },
                large: { intValue: "9007199254740993" },
                smallest: { intValue: "-9223372036854775808" },
                double: { doubleValue: 0.25 },
                nan: { doubleValue: "NaN" },
                infinite: { doubleValue: "-Infinity" },
                list: { arrayValue: { values: [{ stringValue: "a" }, {}, { intValue: 1 }] } },
                map: {
                  kvlistValue: { values: attributes({ __proto__x: { intValue: 1 }, k: { arrayValue: {} } }) },
                },
                bytes: { bytesValue: "AP8Q" },
                nothing: {},
              }),
              droppedAttributesCount: 7,
              events: [
                {
                  timeUnixNano: "1794744640747500000",
                  name: "exception",
                  attributes: attributes({ "exception.message": { stringValue: "no" } }),
                  droppedAttributesCount: 1,
                },
              ],
              droppedEventsCount: 2,
              links: [
                {
                  traceId: TRACE_ID,
                  spanId: "00f067aa0ba902b7",
                  attributes: attributes({ l: { intValue: 1 } }),
                  flags: 1,
                },
                { traceId: TRACE_ID, spanId: "" },
              ],
              droppedLinksCount: 3,
              status: { code: 2, message: "failed" },
              flags: 257,
            }),
          ],
        },
      ],
    },
  ],
};

const WHOLE_SPAN = {
  traceId: TRACE_ID,
  spanId: SPAN_ID,
  parentSpanId: "00f067aa0ba902b7",
  traceState: "a=b",
  name: "work",
  startMs: 1794744640747,
  endMs: 1794744640794.1404,
  attributes: new Map<string, unknown>([
    ["text", "grüße 🙂, and a text that is a little longer than the short ones are"],
    ["empty", ""],
    ["no", false],
    ["int", -42],
    ["large", "9007199254740993"],
    ["smallest", "-9223372036854775808"],
    ["double", 0.25],
    ["nan", "NaN"],
    ["infinite", "-Infinity"],
    ["list", ["a", null, 1]],
    ["map", { __proto__x: 1, k: [] }],
    ["bytes", "AP8Q"],
    ["nothing", null],
  ]),
  events: [
    { name: "exception", timeMs: 1794744640747.5, attributes: new Map([["exception.message", "no"]]) },
  ],
  statusCode: 2,
  statusMessage: "failed",
  droppedAttributes: 7,
  links: [{ traceId: TRACE_ID, spanId: "00f067aa0ba902b7", attributes: new Map([["l", 1]]) }],
  scope: { name: "tracer", version: "1.2" },
  resource: new Map([["service.name", "shop"]]),
};

const nested = (levels: number): Fields =>
  levels === 1 ? { intValue: 1 } : { arrayValue: { values: [nested(levels - 1)] } };
const nestedMaps = (levels: number): Fields =>
  levels === 1 ? { intValue: 1 } : { kvlistValue: { values: [{ key: "k", value: nestedMaps(levels - 1) }] } };

describe.each(ENCODINGS)("a request in %s", (encoding) => {
  it("is decoded with every field that is kept", async () => {
    expect(await read(WHOLE, encoding)).toEqual({ spans: [WHOLE_SPAN], rejected: 0, reason: "" });
  });

  it("has names of attributes and keys of maps of at most 1,024 characters", async () => {
    const long = "x".repeat(1_025);
    const values = [{ key: long, value: { intValue: 1 } }];
    const attributes = [{ key: long, value: { kvlistValue: { values } } }];
    const short = "x".repeat(1_024);
    const read = await readOne(spans(span({ attributes })), encoding);
    expect(read.attributes).toEqual(new Map([[short, { [short]: 1 }]]));
  });

  it("may be one of nothing, at any level", async () => {
    const nothing = { spans: [], rejected: 0, reason: "" };
    for (const request of [{}, { resourceSpans: [{}] }, { resourceSpans: [{ scopeSpans: [{}] }] }, spans()])
      expect(await read(request, encoding)).toEqual(nothing);
  });

  it("loses the spans with an invalid id alone, and says how many", async () => {
    const bad = [
      { spanId: "0".repeat(16) },
      { spanId: "b7ad6b71692033" },
      { spanId: "" },
      { traceId: "0".repeat(32) },
      { traceId: TRACE_ID.slice(2) },
      { traceId: `${TRACE_ID}00` },
    ];
    const { spans: kept, rejected, reason } = await read(spans(...bad.map(span), span()), encoding);
    expect(kept.map(({ spanId }) => spanId)).toEqual([SPAN_ID]);
    expect([rejected, reason]).toEqual([6, "6 spans have an invalid trace or span id"]);
    expect((await read(spans(span({ spanId: "" })), encoding)).reason).toBe(
      "1 span has an invalid trace or span id",
    );
  });

  it("has a root where the parent's id is missing, zero or invalid", async () => {
    for (const parentSpanId of [undefined, "", "0".repeat(16), "ab"])
      expect((await readOne(spans(span({ parentSpanId })), encoding)).parentSpanId).toBeNull();
  });

  it("has times to the fraction of a millisecond, whole milliseconds exactly", async () => {
    for (let index = 0; index < 500; index += 1) {
      const ms = 1_700_000_000_000 + index * 7_919_317;
      const { startMs, endMs } = await readOne(
        spans(span({ startTimeUnixNano: `${ms}000000`, endTimeUnixNano: `${ms}250000` })),
        encoding,
      );
      expect([startMs, endMs]).toEqual([ms, ms + 0.25]);
    }
    const far = await readOne(spans(span({ endTimeUnixNano: "18446744073709551615" })), encoding);
    expect([far.startMs, far.endMs]).toEqual([0, 18446744073709.55]);
  });

  it("is refused if a value is nested too deeply, and accepted to the limit", async () => {
    for (const nest of [nested, nestedMaps]) {
      const request = (levels: number) =>
        spans(span({ events: [{ name: "e", attributes: attributes({ deep: nest(levels) }) }] }));
      expect((await read(request(60), encoding)).spans).toHaveLength(1);
      await expect(read(request(61), encoding)).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining("at most 60 levels deep"),
      });
    }
  });

  it("has a span with 10,000 attributes", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`key ${index}`, { intValue: index }]),
    );
    const { attributes: kept } = await readOne(spans(span({ attributes: attributes(many) })), encoding);
    expect([kept.size, kept.get("key 9999")]).toEqual([10_000, 9_999]);
  });

  it("keeps __proto__ as a key like any other", async () => {
    const map = { kvlistValue: { values: [{ key: "__proto__", value: { intValue: 1 } }] } };
    const { attributes: kept } = await readOne(
      spans(span({ attributes: [{ key: "map", value: map }] })),
      encoding,
    );
    expect(JSON.stringify(kept.get("map"))).toBe('{"__proto__":1}');
  });

  it("lets other work run while it is decoded", async () => {
    const list = Array.from({ length: 10_000 }, () =>
      span({ attributes: attributes({ a: { stringValue: "x".repeat(100) }, b: { intValue: 1 } }) }),
    );
    const body = encode(spans(...list), encoding);
    let iterations = 0;
    const timer = setInterval(() => {
      iterations += 1;
    }, 1);
    expect((await readTraces(body, encoding)).spans).toHaveLength(10_000);
    clearInterval(timer);
    expect(iterations).toBeGreaterThan(2);
  });

  it("of logs keeps the records that name a trace, with the name of their event and of the library that made it", async () => {
    const ids = { traceId: TRACE_ID, spanId: SPAN_ID };
    const body = { kvlistValue: { values: attributes({ role: { stringValue: "user" } }) } };
    const logs = records(
      { ...ids, timeUnixNano: "1000000", eventName: "gen_ai.choice", body },
      {
        ...ids,
        observedTimeUnixNano: "2000000",
        attributes: attributes({ "event.name": { stringValue: "old" } }),
      },
      { traceId: TRACE_ID, timeUnixNano: "3000000", eventName: "about the run" },
      { timeUnixNano: "1000000", body: { stringValue: "a plain line" } },
    );
    const decoded = await readLogs(encode(logs, encoding, "logs"), encoding);
    expect(decoded.records).toEqual(
      [
        { ...ids, timeMs: 1, eventName: "gen_ai.choice", body: { role: "user" }, attributes: new Map() },
        { ...ids, timeMs: 2, eventName: "old", body: null, attributes: new Map([["event.name", "old"]]) },
        { ...ids, spanId: null, timeMs: 3, eventName: "about the run", body: null, attributes: new Map() },
      ].map((record) => ({ ...record, scope })),
    );
    expect([decoded.rejected, decoded.reason]).toEqual([1, "1 log record has no valid trace id"]);
  });
});
