import { expect, it } from "vitest";
import { RecentCallers } from "./recent-callers.ts";

it("knows whether anybody else was seen in the last two seconds", () => {
  const users = new RecentCallers();
  users.remember("a", 0);
  expect(users.hasOthers("a", 0)).toBe(false);
  expect(users.hasOthers("b", 0)).toBe(true);
  users.remember("b", 1_000);
  expect(users.hasOthers("a", 1_000)).toBe(true);
  users.remember("a", 2_500);
  expect(users.hasOthers("a", 3_000)).toBe(true);
  expect(users.hasOthers("a", 3_001)).toBe(false);
  expect(users.hasOthers("b", 3_001)).toBe(true);
});
