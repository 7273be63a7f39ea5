import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type FeedbackToken,
  feedbackRef,
  feedbackSecret,
  isSignedWith,
  mintFeedbackToken,
  readFeedbackToken,
} from "./feedback-token.ts";

const KEY = "wt_0123456789abcdefghijklmnopqrstuvwxyz";
const hash = createHash("sha256").update(KEY).digest();
const secret = feedbackSecret(hash);
const SAMPLE: FeedbackToken = {
  traceId: "0b8f6a2e-51f0-4c7e-9c55-0e6c6f8a1b2d",
  name: "helpful",
  max: 0,
  author: "visitor-7",
  expiresAtSeconds: 1_800_000_000,
};
const utf8 = (minBytes: number, maxBytes: number) =>
  fc
    .string({ unit: "binary", maxLength: maxBytes })
    .filter((text) => text.isWellFormed() && !text.includes("\0"))
    .filter((text) => Buffer.byteLength(text) >= minBytes && Buffer.byteLength(text) <= maxBytes);
const tokens: fc.Arbitrary<FeedbackToken> = fc.record({
  traceId: utf8(1, 1_024),
  name: utf8(1, 200),
  max: fc.integer({ min: 0, max: 100 }),
  author: utf8(0, 64),
  expiresAtSeconds: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
});

/** Signs any bytes as a body, with the functions of Node.js. */
function signBody(body: Uint8Array): string {
  const signature = createHmac("sha256", secret).update(body).digest().subarray(0, 16);
  return `wf_${Buffer.concat([body, signature]).toString("base64url")}`;
}

/** The layout, byte by byte. */
function bodyOf({ traceId, name, max, author, expiresAtSeconds }: FeedbackToken): Buffer {
  const expiry = Buffer.alloc(4);
  expiry.writeUInt32BE(expiresAtSeconds);
  return Buffer.concat([
    Buffer.from([1, max]),
    expiry,
    createHash("sha256").update(secret).digest().subarray(0, 8),
    Buffer.from([Buffer.byteLength(author)]),
    Buffer.from(author),
    Buffer.from([Buffer.byteLength(name)]),
    Buffer.from(name),
    Buffer.from(traceId),
  ]);
}

describe("a feedback token", () => {
  it("has the documented bytes, with a secret that follows from the hash of the key", () => {
    expect(Buffer.from(secret)).toEqual(createHmac("sha256", hash).update("whytrace feedback v1").digest());
    fc.assert(
      fc.property(tokens, (token) => {
        expect(mintFeedbackToken(secret, token)).toBe(signBody(bodyOf(token)));
      }),
    );
    expect(mintFeedbackToken(secret, { ...SAMPLE, author: "" }).length).toBeLessThan(115);
  });

  it("is read as it was minted, signed by its key and by no other", () => {
    const other = feedbackSecret(createHash("sha256").update(`${KEY}x`).digest());
    fc.assert(
      fc.property(tokens, (token) => {
        const read = readFeedbackToken(mintFeedbackToken(secret, token));
        expect(read).toMatchObject(token);
        if (!read) return;
        expect(Buffer.from(read.ref)).toEqual(Buffer.from(feedbackRef(secret)));
        expect([isSignedWith(secret, read), isSignedWith(other, read)]).toEqual([true, false]);
      }),
    );
  });

  it("is no longer signed if any bit of it changes", () => {
    const bytes = Buffer.from(mintFeedbackToken(secret, SAMPLE).slice(3), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const read = readFeedbackToken(`wf_${changed.toString("base64url")}`);
      expect(read !== undefined && isSignedWith(secret, read)).toBe(false);
    }
  });

  it("is not made of nonsense, and reading nonsense never throws", () => {
    const token = mintFeedbackToken(secret, SAMPLE);
    const wrong = ["", "wf_", "x", KEY, token.slice(3), token.slice(0, -1), token.slice(0, -4), `${token}A`];
    for (const text of [...wrong, `${token}=`, ` ${token}`, `${token}\0`, `wf_${"A".repeat(1_000_000)}`]) {
      const read = readFeedbackToken(text);
      expect(read !== undefined && isSignedWith(secret, read)).toBe(false);
    }
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !readFeedbackToken(`wf_${text}`)));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const read = readFeedbackToken(`wf_${Buffer.from(bytes).toString("base64url")}`);
        expect(read !== undefined && isSignedWith(secret, read)).toBe(false);
      }),
    );
  });

  it("is not accepted with fields that no score can have, although its key signed them", () => {
    const wrong: Partial<FeedbackToken>[] = [
      { max: 101 },
      { name: "" },
      { name: "n".repeat(201) },
      { name: "a\0" },
      { author: "a".repeat(65) },
      { author: "\0" },
      { traceId: "" },
      { traceId: "t".repeat(1_025) },
      { traceId: "a\0" },
    ];
    for (const fields of wrong)
      expect(readFeedbackToken(signBody(bodyOf({ ...SAMPLE, ...fields })))).toBe(undefined);
    const body = bodyOf(SAMPLE);
    const variants = [
      body.with(0, 2), // another version
      body.with(14, 200), // an author that is longer than the body
      body.with(15, 0xff), // an author that is not UTF-8
      body.subarray(0, 14),
      body.subarray(0, 24),
    ];
    for (const variant of variants) expect(readFeedbackToken(signBody(variant))).toBe(undefined);
    expect(readFeedbackToken(signBody(body))).toMatchObject(SAMPLE);
  });

  it("may begin its texts with a byte order mark, and keeps it", () => {
    const token = { ...SAMPLE, name: "\uFEFFname", traceId: "\uFEFF" };
    expect(readFeedbackToken(mintFeedbackToken(secret, token))).toMatchObject(token);
  });
});
