import { expect, it } from "vitest";
import { plainWords } from "./plain-words.ts";

it.each([
  ["see https://evil.test/path", "see https:\u200b//evil\u200b.test/path"],
  ["www.evil.test", "www\u200b.evil\u200b.test"],
  ["mail a@evil.test or mailto:a@b", "mail a@evil\u200b.test or mailto\u200b:a@b"],
  ["abc\u202edcba\u2066x", "abc dcba x"],
  ["a\r\nBcc: b\u0000\u001b[31m", "a Bcc: b [31m"],
  ["a\u2028b\ufe0fc\u{e0100}d\u{e0041}", "a b c d "],
  ["HTTP 409 in 1.5 s: refund failed.", "HTTP 409 in 1.5 s: refund failed."],
])("%j becomes neither a link nor anything hidden", (text, plain) => {
  expect(plainWords(text)).toBe(plain);
});
