import { expect, it } from "vitest";
import { hash32, hash53 } from "./hash53.ts";

it("gives different hashes to similar texts", () => {
  const texts = Array.from({ length: 100_000 }, (_, index) => `option ${index}`);
  expect(new Set(texts.map(hash53)).size).toBe(texts.length);
  expect(new Set(texts.map(hash32)).size).toBeGreaterThan(texts.length - 10);
});

it("fits a number exactly", () => {
  for (let index = 0; index < 10_000; index++) {
    expect(Number.isSafeInteger(hash53(`${index}`))).toBe(true);
    expect(hash32(`${index}`)).toBeGreaterThan(0);
    expect(hash32(`${index}`)).toBeLessThan(2 ** 32);
  }
});
