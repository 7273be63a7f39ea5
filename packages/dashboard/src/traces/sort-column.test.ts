import { TRACE_SORTS, type TraceSort } from "@whytrace/contract";
import { expect, it } from "vitest";
import { sortColumn } from "./sort-column.ts";

const COLUMNS = ["Duration", "Cost", "Started"];

/** The order after clicks on the head of a column. */
function click(label: string, from: TraceSort): TraceSort {
  let sort = from;
  sortColumn(label, from, (next) => {
    sort = next;
  })?.onSort();
  return sort;
}

it("leads to every order by one or two clicks, and back", () => {
  const reached = COLUMNS.flatMap((label) => {
    const first = click(label, label === "Started" ? "costliest" : "newest");
    return [first, click(label, first)];
  });
  expect(new Set(reached)).toEqual(new Set(TRACE_SORTS));
  expect(click("Duration", "shortest")).toBe("longest");
});

it("marks one column, and leaves alone those that cannot sort", () => {
  for (const sort of TRACE_SORTS)
    expect(COLUMNS.filter((label) => sortColumn(label, sort, () => {})?.direction)).toHaveLength(1);
  expect(sortColumn("Tags", "newest", () => {})).toBeUndefined();
});
