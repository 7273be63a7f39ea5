import { expect, it } from "vitest";
import { keptUntil } from "./retention.ts";

const until = (
  startedAt: string,
  createdAt: string,
  days: number | null,
  planned: { days: number; from: string } | null = null,
) => {
  const ms = keptUntil({ startedAt, createdAt }, { days, planned });
  return ms === null ? null : new Date(ms).toISOString().slice(0, 10);
};

it("counts days from the start or the storage of a trace, the later one, and nothing without a limit", () => {
  expect(until("2026-01-01", "2026-01-02", 30)).toBe("2026-02-01");
  expect(until("2026-01-03", "2026-01-02", 30)).toBe("2026-02-02");
  expect(until("2026-01-01", "2026-01-02", null)).toBe(null);
});

it("applies the days of a new plan from its date on, unless others end before", () => {
  const planned = { days: 10, from: "2026-01-20" };
  expect(until("2026-01-01", "2026-01-01", null, planned)).toBe("2026-01-20");
  expect(until("2026-01-15", "2026-01-15", null, planned)).toBe("2026-01-25");
  expect(until("2026-01-01", "2026-01-01", 15, planned)).toBe("2026-01-16");
});
