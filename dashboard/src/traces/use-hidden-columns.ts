import { useState } from "react";

/** The columns of the list that can be hidden. */
export const TRACE_COLUMNS = ["Tags", "Model", "Contents", "Duration", "Cost", "Tokens", "Started"] as const;
export type TraceColumn = (typeof TRACE_COLUMNS)[number];

const KEY = "hidden-trace-columns";

function readHidden(): TraceColumn[] {
  try {
    const stored = localStorage.getItem(KEY)?.split(",") ?? [];
    return TRACE_COLUMNS.filter((column) => stored.includes(column));
  } catch {
    // Storage is unavailable: all columns are shown.
    return [];
  }
}

/** The columns that the user has hidden in this browser. */
export function useHiddenColumns() {
  const [hidden, setHidden] = useState(readHidden);
  const toggle = (column: TraceColumn) => {
    const next = hidden.includes(column) ? hidden.filter((one) => one !== column) : [...hidden, column];
    setHidden(next);
    try {
      localStorage.setItem(KEY, next.join(","));
    } catch {
      // Storage is unavailable: the columns are hidden until the page is closed.
    }
  };
  return { hidden, toggle };
}
