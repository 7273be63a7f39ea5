import { describe, expect, it } from "vitest";
import { checkMetrics, readTraces } from "./read-otlp.ts";

const read = (body: string) => readTraces(Buffer.from(body), "json");
const readSpan = async (fields: object) => {
  const spans = [{ traceId: "0AF7651916CD43DD8448EB211C80319C", spanId: "b7ad6b7169203331", ...fields }];
  return (await read(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))).spans[0];
};
const refuses = (body: string, message: string) =>
  expect(read(body), body).rejects.toMatchObject({ name: "HttpError", status: 400, message });
const value = async (any: object) =>
  (await readSpan({ attributes: [{ key: "k", value: any }] }))?.attributes.get("k");

describe("OTLP/JSON", () => {
  it("has ids in hexadecimal of either case, and none in base64", async () => {
    expect((await readSpan({}))?.traceId).toBe("0af7651916cd43dd8448eb211c80319c");
    expect(await readSpan({ spanId: "not hexadecimal!" })).toBeUndefined();
    expect(await readSpan({ spanId: "t61rcWkgMzE=" })).toBeUndefined();
    expect(await readSpan({ spanId: 12 })).toBeUndefined();
  });

  it("has 64-bit numbers as text or as numbers", async () => {
    expect(await value({ intValue: "420" })).toBe(420);
    expect(await value({ intValue: 58 })).toBe(58);
    expect(await value({ intValue: "-0" })).toBe(0);
    expect(await value({ intValue: "9223372036854775807" })).toBe("9223372036854775807");
    expect(await value({ intValue: 2 ** 60 })).toBe("1152921504606846976");
    for (const nanos of [1767323045000000000, "1767323045000000000"])
      expect((await readSpan({ startTimeUnixNano: nanos }))?.startMs).toBe(1767323045000);
  });

  it("has doubles as numbers or as text", async () => {
    expect(await value({ doubleValue: 1.5 })).toBe(1.5);
    expect(await value({ doubleValue: "1.5e3" })).toBe(1500);
    expect(await value({ doubleValue: "Infinity" })).toBe("Infinity");
  });

  it("ignores fields that nobody knows, and takes null for a missing field", async () => {
    const future = { year: [1] };
    const one = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", future };
    const scopeSpans = [
      { scope: { future }, spans: [{ ...one, status: null, attributes: null }], future: null },
    ];
    const { spans } = await read(
      JSON.stringify({ resourceSpans: [{ resource: { future }, scopeSpans }], future }),
    );
    expect(spans).toHaveLength(1);
    expect(await value({ stringValue: null })).toBeNull();
    expect(await value({ futureValue: 1 })).toBeNull();
  });

  it("may have the names of the protobuf files, and enums by name", async () => {
    const spans = [
      {
        trace_id: "0af7651916cd43dd8448eb211c80319c",
        span_id: "b7ad6b7169203331",
        parent_span_id: "00f067aa0ba902b7",
        start_time_unix_nano: "5000000",
        attributes: [
          { key: "k", value: { kvlist_value: { values: [{ key: "a", value: { int_value: "1" } }] } } },
        ],
        dropped_attributes_count: "2",
        status: { code: "STATUS_CODE_ERROR" },
      },
    ];
    const [span] = (await read(JSON.stringify({ resource_spans: [{ scope_spans: [{ spans }] }] }))).spans;
    expect(span).toMatchObject({
      parentSpanId: "00f067aa0ba902b7",
      startMs: 5,
      droppedAttributes: 2,
      statusCode: 2,
    });
    expect(span?.attributes.get("k")).toEqual({ a: 1 });
  });

  it("is refused with the path of what is wrong", async () => {
    for (const body of ["", "{", '{"a":\xff}', "[[", '"\\ud8'])
      await refuses(body, "Invalid JSON in request body");
    for (const body of ["null", "[]", '""', "1"])
      await refuses(body, "Invalid OTLP request: The request must be an object");
    await refuses('{"resourceSpans":{}}', "Invalid OTLP request: resourceSpans must be an array");
    await refuses('{"resourceSpans":[7]}', "Invalid OTLP request: resourceSpans[0] must be an object");
    await refuses(
      '{"resourceSpans":[{},{"scopeSpans":[{"spans":[{},{"name":7}]}]}]}',
      "Invalid OTLP request: resourceSpans[1].scopeSpans[0].spans[1].name must be a string",
    );
    await refuses(
      '{"resourceSpans":[{"resource":{"attributes":[{"key":"a","value":{"arrayValue":{"values":[{"intValue":"x"}]}}}]}}]}',
      "Invalid OTLP request: resourceSpans[0].resource.attributes[0].value.arrayValue.values[0].intValue must be an integer, as a number or as digits",
    );
    await expect(readSpan({ startTimeUnixNano: "-1" })).rejects.toThrow();
    await expect(readSpan({ status: { code: "WRONG" } })).rejects.toThrow();
    await expect(value({ doubleValue: "much" })).rejects.toThrow();
  });

  it("is refused if it is nested without end, or has too many values", async () => {
    await refuses("[".repeat(16 * 1024 * 1024), "Request body must be at most 256 levels deep");
    await refuses(
      `{"resourceSpans":[${"{},".repeat(2_000_000)}{}]}`,
      "Request body must have at most 1000000 JSON values",
    );
  });

  it("is refused if an object that is parsed has a key of more than 16,000 bytes", async () => {
    const span = `{"${"x".repeat(16_000)}":1}`;
    await refuses(
      `{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}]}]}`,
      "Request body must have keys of at most 16000 bytes",
    );
  });

  it("of metrics is only counted", async () => {
    const metrics = [
      { name: "a", gauge: { dataPoints: [{}, {}] } },
      { name: "b", sum: { dataPoints: [{}] } },
    ];
    const count = (request: unknown) => checkMetrics(Buffer.from(JSON.stringify(request)), "json");
    expect(await count({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })).toBe(3);
    expect(await count({})).toBe(0);
    await expect(count([])).rejects.toMatchObject({ status: 400 });
  });
});
