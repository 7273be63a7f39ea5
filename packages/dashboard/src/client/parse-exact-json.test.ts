import { describe, expect, it } from "vitest";
import { isExactNumber, parseExactJson, parseExactValues } from "./parse-exact-json.ts";

describe("JSON with numbers as sent", () => {
  it.each([
    "9007199254740993",
    "-9007199254740993",
    "1.0",
    "-0",
    "1e400",
    "1E5",
    "0.30000000000000004441",
    '{"a":[1,2.50,"x, 1.0"],"b":{"c":123456789012345678901234567890}}',
    '[1.0,{"rawJSON":"1"},"9007199254740993"]',
  ])("%s is written again as it was", (text) => {
    expect(JSON.stringify(parseExactJson(text))).toBe(text);
  });

  it("has ordinary numbers, strings and names as ordinary values", () => {
    const text = '{"n":42,"t":"2026-01-02T03:04:05.000Z","deep":[[0.1,-7,1e-7]],"__proto__":1}';
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
    expect(isExactNumber({ rawJSON: "1" })).toBe(false);
  });

  it("keeps in records only what would lose its value", () => {
    const record = parseExactValues('{"cost":1.0,"tiny":1e-05,"id":9007199254740993,"big":1e400}');
    expect(record).toMatchObject({ cost: 1, tiny: 0.00001 });
    expect(JSON.stringify(record)).toBe('{"cost":1,"tiny":0.00001,"id":9007199254740993,"big":1e400}');
  });

  it("refuses what JSON.parse refuses", () => {
    for (const text of ["", "{", "1.0.0", "[1.0,]", '{"a":9007199254740993'])
      expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });
});
