import { finishSteps, RawJson, SOURCE } from "@whytrace/contract";
import { startCpuStopwatch } from "@whytrace/testing/cpu-stopwatch.ts";
import { volume } from "@whytrace/testing/volume.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonLimitError, JsonSyntaxError, MAX_DEPTH, MAX_VALUES } from "./json-errors.ts";
import { PLAIN, RAW, type Shape } from "./json-shape.ts";
import { scanSteps } from "./scan-json.ts";

const scan = (text: string, shape: Shape = PLAIN) => finishSteps(scanSteps(Buffer.from(text), shape));
const RUNS = volume(20_000);

/** A shape that uses every part of the scanner. */
const MIXED: Shape = {
  record: new Map<string, Shape>([
    ["a", PLAIN],
    ["b", RAW],
    ["", { list: PLAIN }],
    ["c", { list: { record: new Map([["a", RAW]]) } }],
  ]),
};

/** What a scan must return: the value from JSON.parse, reduced to the fields of the shape. */
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

/** Replaces integers over 2^53: the scanner refuses some that JSON.parse rounds (see below). */
const withoutLargeIntegers = (value: unknown) =>
  JSON.stringify(value, (_, item) =>
    typeof item === "number" && !(Math.abs(item) < 2 ** 53) ? "large" : item,
  );

function outcome(work: () => unknown): { value: unknown } | "refused" {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonSyntaxError) return "refused";
    throw error;
  }
}

/** JSON text with unusual whitespace, escapes, duplicate keys and numbers, and up to two random edits. */
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
const edited = fc
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
    edits.reduce((changed, [random, part]) => {
      const index = random % (changed.length + 1);
      return changed.slice(0, index) + part + changed.slice(part === "" ? index + 1 : index);
    }, text),
  );

describe("the scanner", () => {
  it("accepts, refuses and reads what JSON.parse does", () => {
    fc.assert(
      fc.property(edited, fc.constantFrom<Shape>(MIXED, { list: MIXED }, PLAIN, RAW), (text, shape) => {
        const ours = outcome(() => unwrapped(scan(text, shape)));
        const theirs = outcome(() => expected(JSON.parse(text.toWellFormed()), shape));
        expect(withoutLargeIntegers(ours)).toEqual(withoutLargeIntegers(theirs));
      }),
      { numRuns: RUNS, verbose: 1 },
    );
  });

  it("returns payloads byte for byte", () => {
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

  it("returns the last of duplicate fields, and treats the names of Object's properties as data", () => {
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

  it("returns NaN for an integer that a double cannot represent", () => {
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
      expect(() => finishSteps(scanSteps(Buffer.from(bytes), PLAIN))).toThrow(JsonSyntaxError);
  });

  it("limits depth and number of values exactly", () => {
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

  it("stops at the limit, however much follows", () => {
    const workedMs = startCpuStopwatch();
    expect(() => scan("[".repeat(5_000_000), RAW)).toThrow(JsonLimitError);
    expect(() => scan(`[${"{},".repeat(3_000_000)}{}]`, RAW)).toThrow(JsonLimitError);
    expect(workedMs()).toBeLessThan(1_000);
  });
});
