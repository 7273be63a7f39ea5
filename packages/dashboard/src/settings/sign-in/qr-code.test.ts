import { expect, it } from "vitest";
import { qrCode } from "./qr-code.ts";

const URI =
  "otpauth://totp/Whytrace%3Aada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Whytrace";
const toText = (matrix: boolean[][] = []) =>
  matrix.map((row) => row.map((dark) => (dark ? "1" : "0")).join("")).join("\n");

it("draws the code that a reader was seen to read", async () => {
  const text = toText(qrCode(URI));
  expect(text.split("\n")).toHaveLength(41);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  expect(Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")).toBe(
    "e0c2bff38aa7db975d600a90442364a6d5b2e5bb91f8d2bce2f6570ea637d4c3",
  );
});

it("takes the smallest size that fits, and no text that fits none", () => {
  const sizeOf = (length: number) => qrCode("x".repeat(length))?.length;
  expect([14, 15, 26, 27, 666, 667].map(sizeOf)).toEqual([21, 25, 25, 29, 97, undefined]);
  // Characters count as the bytes of UTF-8.
  expect(qrCode("ä".repeat(7))?.length).toBe(21);
  expect(qrCode("ä".repeat(8))?.length).toBe(25);
});
