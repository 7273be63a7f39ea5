import { expect, it } from "vitest";
import { markOf, toggleMark } from "./toggle-mark.ts";

it("marks two traces; a third replaces the second, and a mark can be removed", () => {
  const one = toggleMark({}, "x");
  const two = toggleMark(one, "y");
  expect(two).toEqual({ compareA: "x", compareB: "y" });
  expect(toggleMark(two, "z")).toEqual({ compareA: "x", compareB: "z" });
  expect(toggleMark(two, "x")).toEqual({ compareA: "y" });
  expect(toggleMark(two, "y")).toEqual({ compareA: "x" });
  expect([markOf(two, "x"), markOf(two, "y"), markOf(two, "z")]).toEqual(["A", "B", undefined]);
});
