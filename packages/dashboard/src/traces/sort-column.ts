import type { TraceSort } from "@whytrace/contract";
import type { ColumnSort } from "../ui/list-table.tsx";

interface SortOrder {
  sort: TraceSort;
  direction: NonNullable<ColumnSort["direction"]>;
}

/** The orders of a column. A click takes the first one; another click the next. */
const ORDERS: Record<string, SortOrder[]> = {
  Duration: [
    { sort: "longest", direction: "descending" },
    { sort: "shortest", direction: "ascending" },
  ],
  Cost: [{ sort: "costliest", direction: "descending" }],
  Started: [
    { sort: "newest", direction: "descending" },
    { sort: "oldest", direction: "ascending" },
  ],
};

/** How a column orders the list of traces; undefined if it cannot. */
export function sortColumn(
  label: string,
  sort: TraceSort,
  onSort: (sort: TraceSort) => void,
): ColumnSort | undefined {
  const orders = ORDERS[label];
  if (!orders) return undefined;
  const at = orders.findIndex((order) => order.sort === sort);
  const next = orders[(at + 1) % orders.length];
  return { direction: orders[at]?.direction, onSort: () => next && onSort(next.sort) };
}
