import { expect, it } from "vitest";
import { shortNumber } from "./short-number.ts";

it("leaves four digits of a fraction, and whole numbers as they are", () => {
  const values = [0.1 + 0.2, 12.345678, 123_456.789, 0.000012345678, 1_234_567, 0, null];
  expect(values.map(shortNumber)).toEqual([0.3, 12.35, 123_457, 0.00001235, 1_234_567, 0, null]);
});
