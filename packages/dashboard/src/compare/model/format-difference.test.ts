import { expect, it } from "vitest";
import { formatCost, formatDuration } from "../../ui/format/format.ts";
import { formatDifference } from "./format-difference.ts";

it("says by how much the second value is more or less, and nothing if that is unknown or nothing", () => {
  expect(formatDifference(12_800, 124_000, formatDuration)).toBe("+1 m 51 s");
  expect(formatDifference(0.0418, 0.0234, formatCost)).toBe("−$0.0184");
  expect(formatDifference(3, 3, String)).toBe("");
  expect(formatDifference(null, 3, String)).toBe("");
});
