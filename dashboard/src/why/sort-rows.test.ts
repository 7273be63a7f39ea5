import type { WhyRow } from "@whytrace/contract";
import { expect, it } from "vitest";
import { filterRows } from "./list/filter-rows.ts";
import { sortRows } from "./sort-rows.ts";

const interval = (value: number, low: number) => ({ value, low, high: value * 2 });
const row = (signature: string, overrides: Partial<WhyRow> = {}): WhyRow => ({
  signature,
  type: "TOOL_SELECTION",
  place: null,
  group: "worse",
  decisions: 100,
  options: [],
  neverChosen: [],
  comparison: null,
  shares: [],
  drift: null,
  ...overrides,
});
const compared = (failuresLow: number, costLow: number | null): Partial<WhyRow> => ({
  comparison: {
    worst: "1",
    best: "2",
    failures: interval(50, failuresLow),
    costUsd: costLow === null ? null : interval(5, costLow),
    lift: interval(2, 1),
    stratifiedLift: null,
    isConfounded: false,
    q: 0.01,
  },
});
const order = (rows: WhyRow[]) => rows.map(({ signature }) => signature).join("");

it("sorts by the lower end of an interval, and rows without one last, by decisions", () => {
  const rows = [
    row("a", { decisions: 1 }),
    row("b", compared(2, 3)),
    row("c", compared(9, null)),
    row("d", { decisions: 7 }),
  ];
  expect(order(sortRows(rows, "failures"))).toBe("cbda");
  expect(order(sortRows(rows, "cost"))).toBe("bcda");
  expect(order(sortRows(rows, "decided"))).toBe("bcda");
});

it("sorts by how far a share changed, up or down", () => {
  const drift = (before: number, after: number) => ({
    drift: { step: "1", before, after, since: "v2", p: 0.001 },
  });
  const rows = [row("a"), row("b", drift(0.2, 0.4)), row("c", drift(0.9, 0.4))];
  expect(order(sortRows(rows, "drift"))).toBe("cba");
});

it("finds a text in options, also in those never chosen, and in places", () => {
  const rows = [row("a", { place: "Refund agent" }), row("b", { neverChosen: ["refund_api"] }), row("c")];
  expect(order(filterRows(rows, { search: " REFUND " }))).toBe("ab");
  expect(order(filterRows(rows, { type: "RETRY" }))).toBe("");
  expect(order(filterRows(rows, { drifting: "1" }))).toBe("");
});
