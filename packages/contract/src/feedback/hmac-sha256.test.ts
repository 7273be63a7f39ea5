import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { hmacSha256 } from "./hmac-sha256.ts";

it("HMAC is that of Node.js for any key and message, also for keys longer than a block", () => {
  const bytes = (maxLength: number) => fc.uint8Array({ maxLength });
  fc.assert(
    fc.property(bytes(150), bytes(500), (key, message) => {
      const expected = createHmac("sha256", key).update(message).digest("hex");
      expect(Buffer.from(hmacSha256(key, message)).toString("hex")).toBe(expected);
    }),
    {
      examples: [63, 64, 65].map((length) => [new Uint8Array(length).fill(7), new Uint8Array([1])]),
    },
  );
});
