import { expect, it } from "vitest";
import { toBase32 } from "./base32.ts";
import { codeOf, stepAt, stepsOf } from "./totp-code.ts";

/** The secret and the last six digits of the codes of RFC 6238, appendix B. */
const SECRET = Buffer.from("12345678901234567890");
const CODES: [seconds: number, code: string][] = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
];

it("computes the codes of RFC 6238", () => {
  for (const [seconds, code] of CODES) expect(codeOf(SECRET, stepAt(seconds * 1_000))).toBe(code);
});

it("accepts one step either way, with blanks, and nothing else", () => {
  const timeMs = 1_111_111_111_000;
  const now = stepAt(timeMs);
  for (const step of [now - 1, now, now + 1])
    expect(stepsOf(SECRET, codeOf(SECRET, step), timeMs)).toEqual([step]);
  expect(stepsOf(SECRET, "050 471", timeMs)).toEqual([now]);
  for (const step of [now - 2, now + 2]) expect(stepsOf(SECRET, codeOf(SECRET, step), timeMs)).toEqual([]);
  for (const code of ["", "0", "05047", "0504711", "５０４７１０", "\0"])
    expect(stepsOf(SECRET, code, timeMs)).toEqual([]);
});

it("writes base32 as RFC 4648 has it, without padding", () => {
  const texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
  const expected = ["", "MY", "MZXQ", "MZXW6", "MZXW6YQ", "MZXW6YTB", "MZXW6YTBOI"];
  expect(texts.map((text) => toBase32(Buffer.from(text)))).toEqual(expected);
});
