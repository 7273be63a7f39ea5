import { expect, it } from "vitest";
import { kindWords, shortValue } from "./score-kind-words.ts";

it("say which kinds of values came, with the range of numbers", () => {
  expect(kindWords({ kinds: ["boolean"], min: null, max: null })).toBe("true / false");
  expect(kindWords({ kinds: ["number"], min: 0.1, max: 1 })).toBe("number 0.1 to 1");
  expect(kindWords({ kinds: ["label", "number"], min: 1, max: 5 })).toBe("text, number 1 to 5");
});

it.each([
  [0.78432, "0.784"],
  [3.4, "3.4"],
  [1234.5, "1,230"],
  [-0.5, "-0.5"],
  [0.0000012, "0.000001"],
])("the number %d is written as %s: three digits are enough to compare", (value, text) => {
  expect(shortValue(value)).toBe(text);
});
