import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteLength } from "./byte-length.ts";
import { fitTrace } from "./fit-trace.ts";
import type { TracePayload } from "./payload.ts";
import { toJson } from "./to-json.ts";

const json = (value: unknown) => toJson(value, "x").value;

/** JSON writes -0 as 0. */
function unsigned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unsigned);
  if (typeof value !== "object" || value === null) return value === 0 ? 0 : value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, unsigned(part)]));
}

describe("what is recorded", () => {
  it("that is JSON stays as it is, whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(json(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  it("becomes JSON, whatever it is, and nothing throws", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      withNullPrototype: true,
      withObjectString: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        const copy = json(value) ?? null;
        expect(JSON.parse(JSON.stringify(copy))).toEqual(unsigned(copy));
      }),
    );
  });

  it.each<[string, unknown, unknown]>([
    ["a big integer", 12345678901234567890n, "12345678901234567890"],
    ["not a number", [Number.NaN, Number.POSITIVE_INFINITY], ["NaN", "Infinity"]],
    ["a function", function pick() {}, "[function pick]"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["no date", new Date("x"), "Invalid Date"],
    ["a map of names", new Map([["a", 1]]), { a: 1 }],
    ["a map of other keys", new Map([[{ k: 1 }, 1]]), [[{ k: 1 }, 1]]],
    ["a set", new Set([1, 2]), [1, 2]],
    ["bytes", new Uint8Array(3), "[Uint8Array of 3 bytes]"],
    ["a URL", new URL("http://a.test/"), "http://a.test/"],
    ["a pattern", /a+/g, "/a+/g"],
    ["a promise", Promise.resolve(1), "[Promise]"],
    ["an instance without fields", new (class Cat {})(), "[Cat]"],
    ["undefined in an object", { a: undefined, b: 1 }, { b: 1 }],
    ["undefined in a list", [undefined, 1], [null, 1]],
    ["a field named __proto__", JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
  ])("reads well: %s", (_, value, expected) => {
    expect(json(value)).toEqual(expected);
  });

  it("reads well: errors with their cause and their own fields", () => {
    const error = Object.assign(new RangeError("out", { cause: new Error("why") }), { code: 7 });
    expect(json({ error })).toMatchObject({
      error: {
        name: "RangeError",
        message: "out",
        code: 7,
        cause: { message: "why" },
        stack: expect.any(String),
      },
    });
  });

  it("survives circles, getters that throw, revoked proxies, endless depth", () => {
    const circle: Record<string, unknown> = { a: 1 };
    circle.self = circle;
    expect(json(circle)).toEqual({ a: 1, self: "[circular]" });
    const twice = { n: 1 };
    expect(json([twice, twice])).toEqual([twice, twice]);
    const trap = {
      ok: 1,
      get bad(): never {
        throw new Error("no");
      },
    };
    expect(json(trap)).toEqual({ ok: 1, bad: "[unreadable: no]" });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(json({ proxy })).toEqual({ proxy: expect.stringContaining("[unreadable") });
    let deep: unknown = 0;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(JSON.stringify(json(deep))).toContain("deeper than 200 levels");
    expect(
      json({
        toJSON() {
          throw new Error("never");
        },
      }),
    ).toBe("[unreadable: never]");
  });

  it("does not change when its source does", () => {
    const messages = [{ content: "one" }];
    const copy = json(messages);
    messages.push({ content: "two" });
    expect(copy).toEqual([{ content: "one" }]);
  });

  it("is cut when it is larger than a field may be, and says so", () => {
    const { value, weight } = toJson("é".repeat(25_000_000), "x");
    expect(byteLength(String(value))).toBeLessThan(8.1 * 1_024 * 1_024);
    expect(value).toMatch(/^é+… \[cut by whytrace: 25000000 characters in all\]$/);
    expect(weight).toBeLessThanOrEqual(8 * 1_024 * 1_024 + 11);
    let bush: unknown = "leaf";
    for (let level = 0; level < 60; level++) bush = [bush, bush];
    expect(byteLength(JSON.stringify(json(bush)))).toBeLessThan(32 * 1_024 * 1_024);
    expect(JSON.stringify(json(Array(3_000_000).fill(0)))).toMatch(
      /cut by whytrace: 3000000 items in all\]"\]$/,
    );
  });
});

describe("a trace that is too large", () => {
  const text = (kilobytes: number) => "x".repeat(kilobytes * 1_024);
  const traceOf = (parts: Partial<TracePayload>): TracePayload => ({
    id: "t",
    name: "t",
    status: "COMPLETED",
    tags: [],
    startedAt: "2026-01-01T00:00:00Z",
    spans: [],
    decisionPoints: [],
    events: [],
    ...parts,
  });
  const spanOf = (id: string, fields: object) => ({
    id,
    name: id,
    type: "CUSTOM" as const,
    status: "COMPLETED" as const,
    startedAt: "2026-01-01T00:00:00Z",
    ...fields,
  });
  const decision = (fields: object) => ({
    id: "d",
    type: "CUSTOM" as const,
    chosen: text(20),
    alternatives: [text(20)],
    reasoning: text(20),
    timestamp: "2026-01-01T00:00:00Z",
    ...fields,
  });

  it("loses of its largest inputs and outputs first; small ones and decisions stay whole", () => {
    const trace = traceOf({
      spans: [
        spanOf("a", { input: text(1), output: { big: text(500), quotes: '"'.repeat(9_000) } }),
        spanOf("b", { input: text(300), output: text(2), metadata: { m: text(5) } }),
      ],
      decisionPoints: [decision({ contextSnapshot: text(30) })],
    });
    const before = structuredClone(trace);
    fitTrace(trace, 200 * 1_024);
    expect(byteLength(JSON.stringify(trace))).toBeLessThanOrEqual(200 * 1_024);
    expect(byteLength(JSON.stringify(trace))).toBeGreaterThan(150 * 1_024);
    expect(trace.decisionPoints).toEqual(before.decisionPoints);
    expect(trace.spans[0]?.input).toBe(before.spans[0]?.input);
    expect(trace.spans[1]).toMatchObject({
      output: before.spans[1]?.output,
      metadata: before.spans[1]?.metadata,
    });
    expect(trace.spans[0]?.output).toMatch(/^\{"big":"x+… \[cut by whytrace: \d+ characters in all\]$/);
    expect(trace.spans[1]?.input).toMatch(/^x+… \[cut by whytrace: 307200 characters in all\]$/);
  });

  it("loses its newest spans when nothing else is left, and an event says how many", () => {
    const trace = traceOf({
      spans: Array.from({ length: 2_000 }, (_, index) => spanOf(`s${index}`, { output: text(1) })),
      decisionPoints: [decision({ contextSnapshot: text(30) })],
    });
    fitTrace(trace, 150 * 1_024);
    expect(byteLength(JSON.stringify(trace))).toBeLessThanOrEqual(150 * 1_024);
    expect(trace.spans[0]?.id).toBe("s0");
    expect(trace.decisionPoints[0]).toMatchObject({
      chosen: text(20),
      alternatives: [text(20)],
      reasoning: text(20),
    });
    expect(trace.events.at(-1)?.name).toMatch(/^cut by whytrace: \d+ spans and 0 events did not fit$/);
  });
});
