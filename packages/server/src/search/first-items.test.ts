import { expect, it } from "vitest";
import { FirstItems } from "./first-items.ts";

it("keeps the first items in whatever order they come, and makes no others", () => {
  const numbers = [5, 3, 9, 1, 7, 3, 8, 2, 6];
  const first = new FirstItems<number, number>(4, (a, b) => a - b);
  let made = 0;
  for (const number of [...numbers, 10, 11, 12])
    first.add(number, () => {
      made += 1;
      return number;
    });
  expect(first.items).toEqual([1, 2, 3, 3]);
  expect(first.count).toBe(12);
  expect(made).toBeLessThan(9);
  const none = new FirstItems<number, number>(0, (a, b) => a - b);
  none.add(1, () => expect.fail("No item is wanted"));
  expect([none.items, none.count]).toEqual([[], 1]);
});
