import type { OptionStat, WhyRow } from "@whytrace/contract";
import { expect, it } from "vitest";
import { filterRows } from "./list/filter-rows.ts";
import { sortRows } from "./sort-rows.ts";

const row = (signature: string, overrides: Partial<WhyRow> = {}): WhyRow => ({
  signature,
  type: "TOOL_SELECTION",
  place: null,
  isAside: false,
  asideBy: null,
  decisions: 100,
  options: [],
  neverChosen: [],
  shares: [],
  drift: null,
  ...overrides,
});
const option = (failed: number, decisions: number): OptionStat => ({
  step: "1",
  name: "a",
  open: 0,
  unknown: 0,
  answered: 0,
  readings: null,
  rate: {
    decisions,
    failed,
    recovered: 0,
    runs: decisions,
    failedRuns: failed,
    recoveredRuns: 0,
    low: 0,
    high: 1,
  },
});
const order = (rows: WhyRow[]) => rows.map(({ signature }) => signature).join("");

it("sorts by the share of decisions that failed, over all options, and then by decisions", () => {
  const rows = [
    row("a", { decisions: 1 }),
    row("b", { options: [option(1, 10), option(3, 10)] }),
    row("c", { options: [option(9, 10)] }),
    row("d", { decisions: 7 }),
  ];
  expect(order(sortRows(rows, "failed"))).toBe("cbda");
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
