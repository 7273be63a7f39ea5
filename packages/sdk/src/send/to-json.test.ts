import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TracePayload } from "../payload.ts";
import { fitTrace } from "./fit-trace.ts";
import { toJson } from "./to-json.ts";
import { byteLength } from "./utf8.ts";

const json = (value: unknown) => toJson(value, "x").value;

/** JSON.stringify turns -0 into 0. */
function unsigned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unsigned);
  if (typeof value !== "object" || value === null) return value === 0 ? 0 : value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, unsigned(part)]));
}

describe("a recorded value", () => {
  it("that is JSON stays unchanged", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(json(value))).toBe(JSON.stringify(value));
      }),
    );
  });

  it("of any type becomes JSON without an error", () => {
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
    ["NaN and Infinity", [Number.NaN, Number.POSITIVE_INFINITY], ["NaN", "Infinity"]],
    ["a function", function pick() {}, "[function pick]"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["an invalid date", new Date("x"), "Invalid Date"],
    ["a map with string keys", new Map([["a", 1]]), { a: 1 }],
    ["a map with other keys", new Map([[{ k: 1 }, 1]]), [[{ k: 1 }, 1]]],
    ["a set", new Set([1, 2]), [1, 2]],
    ["bytes", new Uint8Array(3), "[Uint8Array of 3 bytes]"],
    ["a URL", new URL("http://a.test/"), "http://a.test/"],
    ["a regular expression", /a+/g, "/a+/g"],
    ["a promise", Promise.resolve(1), "[Promise]"],
    ["an instance without fields", new (class Cat {})(), "[Cat]"],
    ["undefined in an object", { a: undefined, b: 1 }, { b: 1 }],
    ["undefined in an array", [undefined, 1], [null, 1]],
    ["a field named __proto__", JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
  ])("is readable: %s", (_, value, expected) => {
    expect(json(value)).toEqual(expected);
  });

  it("is readable: errors with their cause and their own fields", () => {
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

  it("may have circular references, getters that throw, revoked proxies and any depth", () => {
    const circular: Record<string, unknown> = { a: 1 };
    circular.self = circular;
    expect(json(circular)).toEqual({ a: 1, self: "[circular]" });
    const shared = { n: 1 };
    expect(json([shared, shared])).toEqual([shared, shared]);
    const throwing = {
      ok: 1,
      get bad(): never {
        throw new Error("no");
      },
    };
    expect(json(throwing)).toEqual({ ok: 1, bad: "[unreadable: no]" });
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

  it("does not change when the caller's object changes", () => {
    const messages = [{ content: "one" }];
    const copy = json(messages);
    messages.push({ content: "two" });
    expect(copy).toEqual([{ content: "one" }]);
  });

  it("is truncated with a marker if it exceeds the limit of a field", () => {
    const { value, weight } = toJson("é".repeat(25_000_000), "x");
    expect(byteLength(String(value))).toBeLessThan(8.1 * 1_024 * 1_024);
    expect(String(value).slice(0, 1_000)).toBe("é".repeat(1_000));
    expect(String(value).slice(-60)).toMatch(/^é+… \[truncated by whytrace: 25000000 characters in all\]$/);
    expect(weight).toBeLessThanOrEqual(8 * 1_024 * 1_024 + 11);
    let tree: unknown = "leaf";
    for (let level = 0; level < 60; level++) tree = [tree, tree];
    expect(byteLength(JSON.stringify(json(tree)))).toBeLessThan(32 * 1_024 * 1_024);
    expect(JSON.stringify(json(Array(3_000_000).fill(0)))).toMatch(
      /truncated by whytrace: 3000000 items in all\]"\]$/,
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

  it("has its largest inputs and outputs truncated first; small ones and decisions stay unchanged", () => {
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
    expect(trace.spans[0]?.output).toMatch(/^\{"big":"x+… \[truncated by whytrace: \d+ characters in all\]$/);
    expect(trace.spans[1]?.input).toMatch(/^x+… \[truncated by whytrace: 307200 characters in all\]$/);
  });

  it("loses its newest spans if truncation is not enough, and an event states how many", () => {
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
    expect(trace.events.at(-1)?.name).toMatch(/^truncated by whytrace: \d+ spans and 0 events did not fit$/);
  });
});
