import { expect, it } from "vitest";
import { hash32FromHex, hash32ToHex, signatureFromHex, signatureToHex } from "./hash-id.ts";
import { hash32, hash53 } from "./hash53.ts";

it("turns hashes into hexadecimal digits and back", () => {
  for (const hash of [0, 1, 255, 2 ** 32, Number.MAX_SAFE_INTEGER, hash53("x")]) {
    expect(signatureToHex(hash)).toHaveLength(14);
    expect(signatureFromHex(signatureToHex(hash))).toBe(hash);
  }
  for (const hash of [1, 255, 2 ** 32 - 1, hash32("x")]) {
    expect(hash32ToHex(hash)).toHaveLength(8);
    expect(hash32FromHex(hash32ToHex(hash))).toBe(hash);
  }
  expect(hash32ToHex(0)).toBe("0");
  expect(hash32FromHex("0")).toBe(0);
});

it.each(["", "1", "xyz", "0x00000001", "-0000001", " 0000001", "ffffffffffffff", "FFFFFFFF"])(
  "refuses what is not such a hash: %j",
  (text) => {
    expect(signatureFromHex(text)).toBeUndefined();
    expect(hash32FromHex(text)).toBeUndefined();
  },
);
