import { expect, it } from "vitest";
import { textKey } from "./text-key.ts";

it("is the text itself, or short and another one for another text", () => {
  expect(textKey("x".repeat(1_024))).toBe("x".repeat(1_024));
  const keys = ["a", "b", "b"].map((end) => textKey("x".repeat(17_000) + end));
  expect(keys.map((key) => key.length)).toEqual([44, 44, 44]);
  expect(new Set(keys).size).toBe(2);
});
