import { useState } from "react";
import { DEFAULT_COLUMNS, TRACE_COLUMNS, type TraceColumn } from "./trace-columns.ts";

const KEY = "shown-trace-columns";

function readShown(): readonly TraceColumn[] {
  try {
    const stored = localStorage.getItem(KEY)?.split(",");
    return stored ? TRACE_COLUMNS.filter((column) => stored.includes(column)) : DEFAULT_COLUMNS;
  } catch {
    // Storage is unavailable.
    return DEFAULT_COLUMNS;
  }
}

/** The columns of the list that the user has chosen in this browser. */
export function useShownColumns() {
  const [shown, setShown] = useState(readShown);
  const toggle = (column: TraceColumn) => {
    const next = TRACE_COLUMNS.filter((one) => shown.includes(one) !== (one === column));
    setShown(next);
    try {
      localStorage.setItem(KEY, next.join(","));
    } catch {
      // Storage is unavailable: the columns are as chosen until the page is closed.
    }
  };
  return { shown, toggle };
}
