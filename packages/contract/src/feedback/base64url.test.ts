import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64url, toBase64url } from "./base64url.ts";

describe("base64url", () => {
  it("is that of Node.js for any bytes, which it gives back", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = toBase64url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString("base64url"));
        expect(fromBase64url(text)).toEqual(bytes);
      }),
    );
  });

  it("reads no second text for the same bytes", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const bytes = fromBase64url(text);
        if (bytes) expect(toBase64url(bytes)).toBe(text);
      }),
    );
    for (const text of ["A", "AB", "AAB", "AA==", "AA\n", "A+", "A/", " AA", "AA\0", "AAÄ", "AAAAA"])
      expect(fromBase64url(text)).toBe(undefined);
    expect(fromBase64url("")).toEqual(new Uint8Array());
  });
});
