import { describe, expect, it } from "vitest";
import { parseExactJson } from "../../client/parse-exact-json.ts";
import { JsonDocument } from "./json-document.ts";

const text = (document: JsonDocument) =>
  document
    .lines(0, document.lineCount)
    .map(({ depth, name, token }) => `${" ".repeat(depth)}${name === null ? "" : `${name}: `}${token}`);

describe("a JSON document", () => {
  it("is laid out in lines, with small values expanded", () => {
    expect(text(new JsonDocument({ a: 1, b: ["x", null], c: {} }))).toEqual([
      "{",
      " a: 1",
      " b: [",
      '  0: "x"',
      "  1: null",
      " ]",
      " c: {}",
      "}",
    ]);
  });

  it("collapses and expands, and starts with large lists collapsed", () => {
    const document = new JsonDocument({ rows: Array.from({ length: 5_000 }, (_, i) => i), end: true });
    expect(text(document)).toEqual(["{", " rows: [ 5,000 items ]", " end: true", "}"]);
    document.toggle(document.lines(1, 2)[0]?.node ?? -1);
    expect(document.lineCount).toBe(5_005);
  });

  it("wraps long strings at spaces and truncates them until expanded", () => {
    const document = new JsonDocument("word ".repeat(2_000), 50);
    expect(document.lineCount).toBe(13);
    expect(document.lines(12, 13)[0]).toMatchObject({ kind: "note", fold: "closed" });
    document.toggle(0);
    expect(document.lineCount).toBeGreaterThan(200);
    expect(document.lines(0, document.lineCount).every(({ token }) => token.length <= 50)).toBe(true);
  });

  it("can show a string that contains JSON as JSON", () => {
    const document = new JsonDocument({ body: '{"error":{"code":409}}', note: "{not json}" });
    expect(document.lines(0, 9).map(({ nested }) => nested)).toEqual([null, "text", null, null]);
    document.toggleNested(1);
    expect(text(document)).toEqual([
      "{",
      " body: {",
      "  error: {",
      "   code: 409",
      "  }",
      " }",
      ' note: "{not json}"',
      "}",
    ]);
    document.toggleNested(1);
    expect(text(document)[1]).toBe(' body: "{"error":{"code":409}}"');
  });

  it("shows and finds numbers as sent", () => {
    const document = new JsonDocument(parseExactJson('{"id":9007199254740993,"price":1.50,"text":"[1.0]"}'));
    document.toggleNested(3);
    expect(text(document)).toEqual([
      "{",
      " id: 9007199254740993",
      " price: 1.50",
      " text: [",
      "  0: 1.0",
      " ]",
      "}",
    ]);
    expect(document.lines(1, 2)[0]?.kind).toBe("number");
    expect(document.search("740993")).toBe(1);
  });

  it("finds names and values in collapsed nodes, and expands them", () => {
    const document = new JsonDocument({
      rows: Array.from({ length: 1_000 }, (_, i) => ({ id: i, name: i === 777 ? "the Needle" : "hay" })),
    });
    expect(document.search("needle")).toBe(1);
    expect(document.lines(document.reveal(0), document.lineCount)[0]?.token).toBe('"the Needle"');
    expect(document.search("")).toBe(0);
  });

  it("finds every occurrence in a long string", () => {
    const document = new JsonDocument(`${"hay ".repeat(5_000)}needle ${"hay ".repeat(50)}needle`, 40);
    expect(document.search("NEEDLE")).toBe(2);
    expect(document.lines(document.reveal(1), document.lineCount)[0]?.token).toContain("needle");
  });

  it("marks every occurrence, also across lines, and the revealed one differently", () => {
    const document = new JsonDocument({ note: "one two three four five six seven", Two: "TWO two" }, 30);
    expect(document.search("five six")).toBe(1);
    const marked = () =>
      document
        .lines(0, document.lineCount)
        .flatMap(({ name, token, nameMarks, tokenMarks }) => [
          ...nameMarks.map(({ from, to, isCurrent }) => [name?.slice(from, to), isCurrent]),
          ...tokenMarks.map(({ from, to, isCurrent }) => [token.slice(from, to), isCurrent]),
        ]);
    expect(marked()).toEqual([
      ["five ", false],
      ["six", false],
    ]);
    expect(document.search("two")).toBe(4);
    document.reveal(2);
    expect(marked()).toEqual([
      ["two", false],
      ["Two", false],
      ["TWO", true],
      ["two", false],
    ]);
    document.reveal(-1);
    expect(marked().every(([, isCurrent]) => !isCurrent)).toBe(true);
    document.search("");
    expect(marked()).toEqual([]);
  });

  it("reveals the line of a match in a long string that looks like JSON", () => {
    const document = new JsonDocument(
      { body: `{ ${"word ".repeat(2_000)} needle ${"word ".repeat(9)} }` },
      60,
    );
    expect(document.search("needle")).toBe(1);
    const line = document.reveal(0);
    expect(document.lines(line, line + 1)[0]?.token).toContain("needle");
  });

  it("does not find the index of a list's item", () => {
    expect(new JsonDocument(["a", "b", 1]).search("1")).toBe(1);
    expect(new JsonDocument({ 1: "a" }).search("1")).toBe(1);
  });

  it("treats __proto__ and constructor as ordinary names", () => {
    expect(text(new JsonDocument(JSON.parse('{"__proto__":1,"constructor":2}')))).toEqual([
      "{",
      " __proto__: 1",
      " constructor: 2",
      "}",
    ]);
  });
});
