import { RawJson, SOURCE } from "@whytrace/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonLimitError, JsonSyntaxError, MAX_DEPTH, MAX_VALUES } from "./json-errors.ts";
import { PLAIN, RAW, type Shape } from "./json-shape.ts";
import { scanJson } from "./scan-json.ts";

const scan = (text: string, shape: Shape = PLAIN) => scanJson(Buffer.from(text), shape);
const RUNS = Number(process.env.SCAN_RUNS ?? 20_000);

/** A shape under which every part of the scanner works, and the value JSON.parse would give for it. */
const MIXED: Shape = {
  record: new Map<string, Shape>([
    ["a", PLAIN],
    ["b", RAW],
    ["", { list: PLAIN }],
    ["c", { list: { record: new Map([["a", RAW]]) } }],
  ]),
};

/** What the scanner built, with raw parts read by JSON.parse, must be what JSON.parse builds, cut to the shape. */
function expected(value: unknown, shape: Shape): unknown {
  if (typeof shape === "string" || typeof value !== "object" || value === null) return value;
  if ("list" in shape) return Array.isArray(value) ? value.map((item) => expected(item, shape.list)) : value;
  if (Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([key]) => shape.record.has(key));
  return Object.fromEntries(
    entries.map(([key, item]) => [key, expected(item, shape.record.get(key) ?? PLAIN)]),
  );
}

function unwrapped(value: unknown): unknown {
  if (value instanceof RawJson) return JSON.parse(Buffer.from(value.bytes).toString());
  if (Array.isArray(value)) return value.map(unwrapped);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unwrapped(item)]));
  return value;
}

/** Counts past 2^53 are the one place where the scanner is stricter (see below). */
const withoutCounts = (value: unknown) =>
  JSON.stringify(value, (_, item) =>
    typeof item === "number" && !(Math.abs(item) < 2 ** 53) ? "count" : item,
  );

function outcome(work: () => unknown): { value: unknown } | "refused" {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonSyntaxError) return "refused";
    throw error;
  }
}

/** JSON text with odd spacing, escapes, duplicate keys and numbers, then damaged in a place or two. */
const key = fc.constantFrom('"a"', '"b"', '""', '"c"', '"\\u0061"', '"\\u0062"', '"x"', '"é"', '"__proto__"');
const blank = fc.constantFrom("", "", "", " ", "\n", "\t", "\r", "  ");
const token = fc.oneof(
  key,
  fc.json({ maxDepth: 0 }),
  fc.constantFrom(
    "0",
    "-0",
    "1e5",
    "1E-5",
    "0.5",
    "-1.25e+3",
    "true",
    "false",
    "null",
    '"\\ud800"',
    '"\\u0000"',
    '"😀"',
    '"\\\\"',
  ),
);
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    token,
    fc
      .array(fc.tuple(blank, tie("json"), blank), { maxLength: 4 })
      .map((items) => `[${items.map((item) => item.join("")).join(",")}]`),
    fc
      .array(fc.tuple(blank, key, blank, fc.constant(":"), blank, tie("json"), blank), { maxLength: 5 })
      .map((fields) => `{${fields.map((field) => field.join("")).join(",")}}`),
  ),
}));
const damaged = fc
  .tuple(
    json,
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom(
          "",
          ",",
          ":",
          "[",
          "]",
          "{",
          "}",
          '"',
          "\\",
          "0",
          "-",
          ".",
          "e",
          "\u0001",
          "u",
          "\uFEFF",
          " ",
        ),
      ),
      { maxLength: 2 },
    ),
  )
  .map(([text, edits]) =>
    edits.reduce((changed, [at, part]) => {
      const place = at % (changed.length + 1);
      return changed.slice(0, place) + part + changed.slice(part === "" ? place + 1 : place);
    }, text),
  );

describe("the scanner", () => {
  it("accepts, refuses and reads what JSON.parse does", () => {
    fc.assert(
      fc.property(damaged, fc.constantFrom<Shape>(MIXED, { list: MIXED }, PLAIN, RAW), (text, shape) => {
        const ours = outcome(() => unwrapped(scan(text, shape)));
        const theirs = outcome(() => expected(JSON.parse(text.toWellFormed()), shape));
        expect(withoutCounts(ours)).toEqual(withoutCounts(theirs));
      }),
      { numRuns: RUNS, verbose: 1 },
    );
  });

  it("hands payloads on byte for byte", () => {
    for (const text of [
      "9007199254740993",
      "1e400",
      "-0",
      '"\\u0000\\ud800"',
      '{ "a":1, "a" : 2 }',
      "[ 1.0 ,2e0]",
    ]) {
      const raw = scan(` ${text}\n`, RAW);
      expect(raw instanceof RawJson && Buffer.from(raw.bytes).toString()).toBe(text);
    }
  });

  it("takes the last of a field that stands twice, and names from Object's own as data", () => {
    const shape: Shape = {
      record: new Map([
        ["a", PLAIN],
        ["__proto__", RAW],
      ]),
    };
    expect(unwrapped(scan('{"a":1,"a":2}', shape))).toEqual({ a: 2 });
    expect(unwrapped(scan('{"constructor":1,"toString":{}}', shape))).toEqual({});
  });

  it("keeps the bytes of a record without lists", () => {
    const item: Shape = { record: new Map([["a", PLAIN]]) };
    const found = scan(' [ {"a" : "é", "x":[{}]} ,{"a":2}, {} ]', { list: item });
    const sources = (found as { [SOURCE]?: RawJson }[]).map((record) => record[SOURCE]);
    expect(sources.map((source) => source && Buffer.from(source.bytes).toString())).toEqual([
      '{"a" : "é", "x":[{}]}',
      '{"a":2}',
      undefined,
    ]);
  });

  it("gives no number for a count it would have to change", () => {
    expect(scan("9007199254740992")).toBe(9007199254740992);
    expect(scan("9007199254740993")).toBe(Number.NaN);
    expect(scan("-9007199254740993")).toBe(Number.NaN);
    expect(scan("10000000000000000000000")).toBe(1e22);
    expect(scan("-32402719736104230")).toBe(-32402719736104230);
    expect(scan("0.30000000000000004")).toBe(0.1 + 0.2);
    expect(scan(`1${"0".repeat(400)}`)).toBe(Number.NaN);
  });

  it("refuses bytes that are not UTF-8", () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0x22, 0xc0, 0x80, 0x22],
    ])
      expect(() => scanJson(Buffer.from(bytes), PLAIN)).toThrow(JsonSyntaxError);
  });

  it("is bounded in depth and in number of values, at the edge", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    const shapes: Shape[] = [PLAIN, RAW, { list: PLAIN }, { list: { list: { list: RAW } } }];
    for (const shape of shapes) {
      expect(() => scan(nested(MAX_DEPTH), shape)).not.toThrow();
      expect(() => scan(nested(MAX_DEPTH + 1), shape)).toThrow(JsonLimitError);
    }
    const flat = (count: number) => `[${Array(count).fill("0").join(",")}]`;
    expect(() => scan(flat(MAX_VALUES - 1), RAW)).not.toThrow();
    expect(() => scan(flat(MAX_VALUES), RAW)).toThrow("at most 1000000 JSON values");
  });

  it("stops at the bound however much follows", () => {
    const began = performance.now();
    expect(() => scan("[".repeat(5_000_000), RAW)).toThrow(JsonLimitError);
    expect(() => scan(`[${"{},".repeat(3_000_000)}{}]`, RAW)).toThrow(JsonLimitError);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
