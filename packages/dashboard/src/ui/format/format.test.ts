import { expect, it } from "vitest";
import { formatRelativeTime } from "./format.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NOW_MS = Date.parse("2026-01-02T03:04:05.000Z");
const relative = (ms: number) => formatRelativeTime(new Date(NOW_MS + ms).toISOString(), NOW_MS);

it("rounds a time to come, and counts only whole units of one that is over", () => {
  const times = [
    [7 * DAY_MS, "in 7 d"],
    [7 * DAY_MS - MINUTE_MS, "in 7 d"],
    [6.4 * DAY_MS, "in 6 d"],
    [30 * DAY_MS - MINUTE_MS, "in 30 d"],
    [-7 * DAY_MS + MINUTE_MS, "6 d ago"],
    [-7 * DAY_MS, "7 d ago"],
  ] as const;
  expect(times.map(([ms]) => relative(ms))).toEqual(times.map(([, text]) => text));
});
