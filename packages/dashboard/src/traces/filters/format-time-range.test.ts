import { expect, it } from "vitest";
import { formatTimeRange } from "./format-time-range.ts";

it("says a time range in UTC, with one open end or none", () => {
  const [from, to] = ["2026-03-03T00:00:00.000Z", "2026-03-04T00:00:00.000Z"];
  expect(formatTimeRange(from, to)).toBe("3 Mar, 00:00 – 4 Mar, 00:00 UTC");
  expect(formatTimeRange(from, undefined)).toBe("from 3 Mar, 00:00 UTC");
  expect(formatTimeRange(undefined, to)).toBe("until 4 Mar, 00:00 UTC");
  expect(formatTimeRange(undefined, undefined)).toBeUndefined();
});
