import { describe, expect, it } from "vitest";
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

  it("treats __proto__ and constructor as ordinary names", () => {
    expect(text(new JsonDocument(JSON.parse('{"__proto__":1,"constructor":2}')))).toEqual([
      "{",
      " __proto__: 1",
      " constructor: 2",
      "}",
    ]);
  });
});
