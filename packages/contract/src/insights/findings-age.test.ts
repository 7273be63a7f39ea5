import { expect, it } from "vitest";
import { findingsAge } from "./findings-age.ts";

const computedAt = "2026-11-03T10:00:00.000Z";
const after = (minutes: number) => findingsAge({ computedAt }, Date.parse(computedAt) + minutes * 60_000);

it("says how old a list is, in its largest unit", () => {
  expect(after(0.5)).toBe("Computed just now.");
  expect(after(1)).toBe("Computed 1 minute ago: later runs are not counted.");
  expect(after(59)).toBe("Computed 59 minutes ago: later runs are not counted.");
  expect(after(119)).toBe("Computed 1 hour ago: later runs are not counted.");
  expect(after(2 * 24 * 60)).toBe("Computed 2 days ago: later runs are not counted.");
  // The clock of the server may be ahead of this one.
  expect(after(-3)).toBe("Computed just now.");
});

it("says nothing of a list without runs", () => {
  expect(findingsAge({ computedAt: null }, Date.parse(computedAt))).toBeUndefined();
});
