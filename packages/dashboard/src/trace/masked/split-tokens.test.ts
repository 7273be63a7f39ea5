import { expect, it } from "vitest";
import { splitTokens } from "./split-tokens.ts";

const tokens = (text: string) =>
  splitTokens(text).flatMap((part) => (typeof part === "string" ? [] : [`${part.type} ${part.hash}`.trim()]));

it("finds the tokens of types, of rules and of values that were not checked", () => {
  const text = "to [email:9f2c4e1ab0d36b70], [card] of [order-no:00000000000000ab]: [masked: not checked]";
  expect(tokens(text)).toEqual([
    "email 9f2c4e1ab0d36b70",
    "card",
    "order-no 00000000000000ab",
    "masked: not checked",
  ]);
});

it("leaves brackets that are no tokens, and loses no character", () => {
  for (const text of ["", "[1] [Email] [email:12] [a b:9f2c4e1ab0d36b70]", "x[ip]y[ip]", "[secret]"])
    expect(
      splitTokens(text)
        .map((part) => (typeof part === "string" ? part : part.token))
        .join(""),
    ).toBe(text);
  expect(tokens("[1] [Email] [email:12] [a b:9f2c4e1ab0d36b70]")).toEqual([]);
});

it("takes time in proportion to a text of brackets", () => {
  // Other work of the machine slows down single rounds; with the square of the length, each would take minutes.
  let fastestMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 6 && fastestMs >= 2_000; round += 1) {
    const startedAt = performance.now();
    splitTokens("[".repeat(2_000_000));
    splitTokens("[email".repeat(300_000));
    fastestMs = Math.min(fastestMs, performance.now() - startedAt);
  }
  expect(fastestMs).toBeLessThan(2_000);
});
