import { volume } from "@whytrace/testing/volume.ts";
import { describe, expect, it } from "vitest";
import { foldCase } from "./case-variants.ts";
import { type FieldRange, matchFields } from "./match-fields.ts";
import { compileSearchPattern } from "./search-pattern.ts";

/** A generator of pseudorandom numbers from a seed (mulberry32). */
function randomFrom(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const fold = (text: string) =>
  Array.from(text, (character) => String.fromCodePoint(foldCase(character.codePointAt(0) ?? 0))).join("");

/** The strings, decoded, and the other tokens of JSON, as written: what a search looks through, by the definition. */
function tokensOf(json: string): string[] {
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[^\s[\]{}:,"]+/g) ?? [];
  return tokens.map((token) => (token.startsWith('"') ? String(JSON.parse(token)) : token));
}

const containsByDefinition = (json: string, query: string) =>
  tokensOf(json).some((token) => fold(token).includes(fold(query)));

/** Joins values without a separator, as a part of packed payloads does. */
function layOut(values: string[]): { bytes: Buffer; fields: (FieldRange & { index: number })[] } {
  let end = 0;
  const fields = values.map((value, index) => {
    const start = end;
    end += Buffer.byteLength(value);
    return { start, end, index };
  });
  return { bytes: Buffer.from(values.join("")), fields };
}

function indexesOf(values: string[], query: string, format: "json" | "text"): number[] {
  const { bytes, fields } = layOut(values);
  return [...matchFields(bytes, format, compileSearchPattern(query), () => fields)].flatMap((match) =>
    match ? [match.field.index] : [],
  );
}

const finds = (json: string, query: string) => indexesOf([json], query, "json").length === 1;

describe("matchFields", () => {
  const PIECES = [
    ..."aAbkKtruefalsnUu0123456789eE+-.",
    ...'"\\/{}[]:, ',
    ..."\n\t\b\r\f\0\u001b\u007f",
    ..."\u212a\u212b\u2126éÉßẞσςΣΩΩжЖИйİıIiKſÅåÅ日本語，ǅǆǄ",
    ..."😀🚀𐐀𐐨",
    "error",
    "Error: ",
    "\\n",
    "\\u0041",
    "null",
    "true,",
    "1e5",
    '{"a":1}',
    "\ud83d",
    "\ude00",
  ];

  /** JSON that means the same, with other escapes and blanks. */
  function disguise(json: string, random: (limit: number) => number): string {
    return json.replaceAll(/"(?:[^"\\]|\\.)*"|[[\]{}:,]/g, (token) => {
      const blank = random(4) === 0 ? " " : "";
      if (!token.startsWith('"')) return `${token}${blank}`;
      const escaped = Array.from({ length: JSON.parse(token).length }, (_, index) => {
        const unit = String(JSON.parse(token)).charAt(index);
        const kind = random(8);
        const digits = unit.charCodeAt(0).toString(16).padStart(4, "0");
        if (kind === 0) return `\\u${digits}`;
        if (kind === 1) return `\\u${digits.toUpperCase()}`;
        if (kind === 2 && unit === "/") return "\\/";
        const isHalfPair = unit >= "\ud800" && unit <= "\udfff";
        // Half of a pair cannot be sent raw, and pairs are rarely sent half escaped.
        return isHalfPair ? `\\u${digits}` : JSON.stringify(unit).slice(1, -1);
      });
      return `"${random(3) === 0 ? escaped.join("") : token.slice(1, -1)}"${blank}`;
    });
  }

  function text(random: (limit: number) => number, maxPieces: number): string {
    return Array.from({ length: random(maxPieces) }, () => PIECES[random(PIECES.length)]).join("");
  }

  function value(random: (limit: number) => number, depth = 0): unknown {
    const kind = random(depth > 2 ? 5 : 8);
    if (kind < 2) return text(random, 12);
    if (kind === 2) return random(2) === 0 ? random(100_000) : -random(1_000) / 8;
    if (kind === 3) return [true, false, null][random(3)];
    if (kind === 4) return random(1_000_000) * 1e20;
    if (kind === 5) return Array.from({ length: random(4) }, () => value(random, depth + 1));
    return Object.fromEntries(
      Array.from({ length: random(4) }, () => [text(random, 5), value(random, depth + 1)]),
    );
  }

  it("finds in JSON what a plain scan of the decoded tokens finds, for many queries", () => {
    let found = 0;
    for (let seed = 1; seed <= volume(200); seed += 1) {
      const random = randomFrom(seed);
      const values = Array.from({ length: 12 }, () => disguise(JSON.stringify(value(random)), random));
      const sources = values.flatMap((json) => [...tokensOf(json), json]);
      for (let round = 0; round < 10; round += 1) {
        const source = sources[random(sources.length)] ?? "";
        const start = random(source.length + 1);
        const cut = source.slice(start, start + 1 + random(6)).toWellFormed();
        const changed = random(2) === 0 ? cut.toUpperCase() : cut;
        const query = random(4) === 0 ? text(random, 4).toWellFormed() : changed;
        if (query === "") continue;
        const expected = values.flatMap((json, index) => (containsByDefinition(json, query) ? [index] : []));
        expect(
          indexesOf(values, query, "json"),
          `seed ${seed}, ${JSON.stringify(query)} in ${values.join("\n")}`,
        ).toEqual(expected);
        found += expected.length;
      }
    }
    expect(found).toBeGreaterThan(volume(2_000));
  });

  it("finds in text what a plain scan finds, for many queries", () => {
    let found = 0;
    for (let seed = 1; seed <= volume(100); seed += 1) {
      const random = randomFrom(seed);
      const values = Array.from({ length: 12 }, () => text(random, 12).toWellFormed());
      for (let round = 0; round < 10; round += 1) {
        const source = values[random(values.length)] ?? "";
        const start = random(source.length + 1);
        const query = fold(source.slice(start, start + 1 + random(4)).toWellFormed()) || "a";
        const expected = values.flatMap((one, index) => (fold(one).includes(fold(query)) ? [index] : []));
        expect(indexesOf(values, query, "text"), JSON.stringify({ query, values })).toEqual(expected);
        found += expected.length;
      }
    }
    expect(found).toBeGreaterThan(volume(1_000));
  });

  it.each([
    ['{"a":"line\\nnext"}', "line\nNEXT", true],
    ['{"a":"line\\nnext"}', "nnext", false],
    ['{"a":"C:\\\\new"}', "c:\\new", true],
    ['{"a":"C:\\\\new"}', "\new", false],
    ['{"a":"\\\\u0041"}', "u0041", true],
    ['{"a":"\\u0041"}', "0041", false],
    ['{"a":"\\u0041"}', "a", true],
    ['{"x":"\\ud83D\\uDe00!"}', "😀!", true],
    ['{"x":"😀!"}', "😀!", true],
    ['{"a":"say \\"hi\\""}', 'SAY "hi"', true],
    ['{"a":"b","c":"d"}', 'b","c', false],
    ['{"a":"{\\"b\\":1}"}', '{"b":1', true],
    ['{"a":{"b":1}}', '"b"', false],
    ['{"key":1}', "KEY", true],
    ["[1,23]", "1,2", false],
    ["[1, 23]", ", ", false],
    ['["1, 23"]', "1, 2", true],
    ["[1.50e+10]", "50E+1", true],
    ["true", "RUE", true],
    ['"Straße"', "STRASSE", false],
    ['"ΣΊΣΥΦΟΣ"', "σίσυφοσ", true],
    ['"ΣΊΣΥΦΟΣ"', "ς", false],
    ['"İstanbul"', "istanbul", false],
    ['"İstanbul"', "İSTANBUL", true],
    ['"a\\/b"', "a/b", true],
    ['"\\u0000"', "\0", true],
  ])("in %s, %j is found: %s", (json, query, isFound) => {
    expect(finds(json, query)).toBe(isFound);
    expect(containsByDefinition(json, query)).toBe(isFound);
  });

  it("finds nothing that begins in one field and ends in the next", () => {
    expect(indexesOf(["12", "34", "true"], "23", "json")).toEqual([]);
    expect(indexesOf(["12", "34", "true"], "4t", "json")).toEqual([]);
    expect(indexesOf(["12", "1234", "123"], "123", "json")).toEqual([1, 2]);
  });

  it("finds a match wherever it lies in bytes that are longer than a window", () => {
    const needle = "Nadel im \\u0048eu\\n\u{1f33e}";
    const json = (before: number) => `["${"x".repeat(before)}${needle}${"y".repeat(70_000)}"]`;
    for (const before of [0, 65_500, 65_520, 65_533, 65_534, 65_540, 131_060, 131_070, 200_000])
      expect(finds(json(before), "nadel im heu\n\u{1f33e}"), String(before)).toBe(true);
  });

  it("reads no fields if there is no candidate", () => {
    const unread = () => expect.fail();
    expect([...matchFields(Buffer.from('"abc"'), "json", compileSearchPattern("abd"), unread)]).toEqual([
      undefined,
    ]);
  });

  it("pauses after each window, so that no query and no field make it run for long", () => {
    const bytes = Buffer.from(`"${"a".repeat(200_000)}"`);
    const pattern = compileSearchPattern(`${"a".repeat(199)}b`);
    const steps = [...matchFields(bytes, "json", pattern, () => [])];
    expect(steps.length).toBe(4);
  });
});
