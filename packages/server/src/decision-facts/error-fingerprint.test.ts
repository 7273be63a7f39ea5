import { expect, it } from "vitest";
import { errorFingerprint } from "./error-fingerprint.ts";

it("is equal for messages that differ only in numbers and ids", () => {
  const fingerprint = errorFingerprint("call", "timeout after 3000 ms");
  expect(errorFingerprint("search", "timeout after 5000 ms")).toBe(fingerprint);
  expect(errorFingerprint("call", "not found")).not.toBe(fingerprint);
});

it("is that of the name if there is no message, which is not taken for a message", () => {
  expect(errorFingerprint("call 123", null)).toBe(errorFingerprint("call 456", ""));
  expect(errorFingerprint("call", null)).toBe(errorFingerprint("call", " \n "));
  expect(errorFingerprint("call", null)).not.toBe(errorFingerprint("x", "call"));
});
