import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "./sha256.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const expected = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("SHA-256", () => {
  it("has the digests of FIPS 180-4", () => {
    expect(hex(sha256(Buffer.from("abc")))).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    expect(hex(sha256(new Uint8Array()))).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
  });

  it("is that of Node.js for every length around the blocks", () => {
    for (let length = 0; length <= 200; length++) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length) & 0xff);
      expect(hex(sha256(bytes))).toBe(expected(bytes));
    }
  });

  it("is that of Node.js for any bytes, and leaves them as they are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        const before = hex(bytes);
        expect(hex(sha256(bytes))).toBe(expected(bytes));
        expect(hex(bytes)).toBe(before);
      }),
    );
  });
});
