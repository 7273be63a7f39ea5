import { startCpuStopwatch } from "@whytrace/testing/cpu-stopwatch.ts";
import { nestedOtlpValue } from "@whytrace/testing/otlp/nested-otlp-value.ts";
import { encodeOtlp, lengthDelimited } from "@whytrace/testing/otlp/otlp-encoder.ts";
import { describe, expect, it } from "vitest";
import { HttpError } from "../../http/http-error.ts";
import { checkMetrics, readLogs, readTraces } from "./read-otlp.ts";

const IDS = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const attributes = [
  { key: "text", value: { stringValue: "grüße" } },
  { key: "int", value: { intValue: "-42" } },
  { key: "list", value: { arrayValue: { values: [{ doubleValue: 0.5 }, { boolValue: true }] } } },
  { key: "map", value: { kvlistValue: { values: [{ key: "a", value: { bytesValue: "AP8Q" } }] } } },
];
const span = {
  ...IDS,
  name: "work",
  startTimeUnixNano: "1794744640747000000",
  attributes,
  droppedAttributesCount: 300,
  events: [{ timeUnixNano: "1794744640747000000", name: "e", attributes }],
  links: [{ ...IDS, attributes }],
  status: { code: 2, message: "failed" },
  flags: 1,
};
const scopeSpans = [{ scope: { name: "s", version: "1" }, spans: [span, span] }];
const TRACES = encodeOtlp({ resourceSpans: [{ resource: { attributes }, scopeSpans }, { scopeSpans }] });
const logRecords = [
  { ...IDS, timeUnixNano: "1000000", eventName: "e", attributes, body: attributes[3]?.value },
];
const LOGS = encodeOtlp({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }, "logs");
const dataPoints = [{ timeUnixNano: "1", asInt: "2" }, { asDouble: 0.5 }];
const metrics = [{ name: "m", gauge: { dataPoints } }];
const METRICS = encodeOtlp({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }, "metrics");

const READERS = [
  { read: readTraces, body: TRACES },
  { read: readLogs, body: LOGS },
  { read: checkMetrics, body: METRICS },
];

/** The request is decoded, or refused with a 400 that says where it is wrong. */
async function decodeOrRefuse(read: (typeof READERS)[number]["read"], body: Buffer): Promise<boolean> {
  try {
    await read(body, "protobuf");
    return true;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    expect(error.status).toBe(400);
    expect(error.message).toMatch(/^Invalid protobuf in request body at byte \d+: ./);
    return false;
  }
}

/** A small generator of pseudo-random numbers, so that a failure can be repeated. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const field = (number: number, bytes: Buffer) => Buffer.concat(lengthDelimited(number, bytes));
const refuses = (body: Buffer, message: RegExp) =>
  expect(readTraces(body, "protobuf")).rejects.toMatchObject({
    name: "HttpError",
    status: 400,
    message: expect.stringMatching(message),
  });

describe("protobuf", () => {
  it("that is cut off at any byte is refused, or is a whole request by chance", async () => {
    for (const { read, body } of READERS) {
      const whole: number[] = [];
      for (let length = 0; length <= body.length; length += 1)
        if (await decodeOrRefuse(read, body.subarray(0, length))) whole.push(length);
      expect(whole[0]).toBe(0);
      expect(whole.at(-1)).toBe(body.length);
      expect(whole.length).toBeLessThanOrEqual(3);
    }
  });

  it("with any wrong bytes is decoded or refused, never more than that", async () => {
    const random = seeded(7);
    let refused = 0;
    for (let round = 0; round < 10_000; round += 1) {
      const { read, body } = READERS[round % READERS.length] ?? { read: readTraces, body: TRACES };
      const mutated = Buffer.from(body);
      for (let count = random(3); count >= 0; count -= 1) mutated[random(mutated.length)] = random(256);
      if (!(await decodeOrRefuse(read, mutated))) refused += 1;
    }
    expect(refused).toBeGreaterThan(1_000);
  });

  it("keeps the resource and scope of a span that comes before them", async () => {
    const scope = { scope: { name: "s", version: "1" } };
    const resource = { resource: { attributes: [{ key: "a", value: { intValue: 1 } }] } };
    const reversed = { resourceSpans: [{ scopeSpans: [{ spans: [span], ...scope }], ...resource }] };
    const [read] = (await readTraces(encodeOtlp(reversed), "protobuf")).spans;
    expect([read?.scope, read?.resource]).toEqual([{ name: "s", version: "1" }, new Map([["a", 1]])]);
  });

  it("has fields that nobody knows, of every wire type, which are skipped", async () => {
    const unknown = Buffer.concat([
      Buffer.from([0xa0, 0x06, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]),
      Buffer.from([0xa1, 0x06, 1, 2, 3, 4, 5, 6, 7, 8]),
      Buffer.from([0xa2, 0x06, 2, 0xff, 0xff]),
      Buffer.from([0xa5, 0x06, 1, 2, 3, 4]),
    ]);
    const one = Buffer.concat([
      unknown,
      field(1, Buffer.from(IDS.traceId, "hex")),
      field(2, Buffer.from(IDS.spanId, "hex")),
      unknown,
    ]);
    const request = Buffer.concat([
      unknown,
      field(1, Buffer.concat([unknown, field(2, Buffer.concat([field(2, one), unknown]))])),
    ]);
    expect((await readTraces(request, "protobuf")).spans).toHaveLength(1);
  });

  it("replaces bytes that are not UTF-8", async () => {
    const ids = Buffer.concat([
      field(1, Buffer.from(IDS.traceId, "hex")),
      field(2, Buffer.from(IDS.spanId, "hex")),
    ]);
    const request = field(
      1,
      field(2, field(2, Buffer.concat([ids, field(5, Buffer.from([0x61, 0xff, 0x62]))]))),
    );
    expect((await readTraces(request, "protobuf")).spans[0]?.name).toBe("a\ufffdb");
  });

  it("is refused with the byte and the field that are wrong", async () => {
    await refuses(Buffer.from([0xff, 0xff, 0xff]), /at byte 3: a number is cut off$/);
    await refuses(Buffer.from([0x0b, 0x0c]), /at byte 1: field 1 has wire type 3, expected 2$/);
    await refuses(Buffer.from([0x1b, 0x1c]), /field 3 has wire type 3, which OTLP does not use$/);
    await refuses(Buffer.from([0x08, 0x01]), /field 1 has wire type 0, expected 2$/);
    await refuses(Buffer.from([0x0a, 0x05, 0x00]), /at byte 2: field 1 is 5 bytes long, but only 1 follow$/);
    // Longer than its message, though not longer than the body.
    await refuses(
      Buffer.from([0x0a, 0x02, 0x12, 0x02, 0x1a, 0x00]),
      /at byte 4: field 2 is 2 bytes long, but only 0 follow$/,
    );
    await refuses(Buffer.from([0x02, 0x00]), /0 is no field number$/);
    await refuses(Buffer.alloc(12, 0xff), /a number has more than ten bytes$/);
    await refuses(Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f]), /more than 32 bits$/);
  });

  it("of 10 MiB that is nested without end is refused at once", async () => {
    const deep = field(2, nestedOtlpValue(10 * 1024 * 1024));
    const request = field(1, field(2, field(2, field(9, deep))));
    const workedMs = startCpuStopwatch();
    await refuses(request, /a value must be at most 60 levels deep$/);
    expect(workedMs()).toBeLessThan(1_000);
  });

  it("with more than a million values is refused", async () => {
    const empty = Buffer.alloc(2_200_000);
    for (let at = 0; at < empty.length; at += 2) empty[at] = 0x4a;
    await refuses(field(1, field(2, field(2, empty))), /a request has at most 1000000 values$/);
  });

  it("of metrics is only counted", async () => {
    expect(await checkMetrics(METRICS, "protobuf")).toBe(2);
    expect(await checkMetrics(Buffer.alloc(0), "protobuf")).toBe(0);
  });
});
