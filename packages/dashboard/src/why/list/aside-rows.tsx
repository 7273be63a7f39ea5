import type { ReactNode } from "react";
import { COLUMN_COUNT } from "./why-columns.ts";

interface AsideRowsProps {
  count: number;
  isUnfolded: boolean;
  onToggle: () => void;
  children: ReactNode;
}

/** The decisions that a user ignores, folded below a title. */
export function AsideRows({ count, isUnfolded, onToggle, children }: AsideRowsProps) {
  return (
    <tbody className="max-lg:block" data-group="aside">
      <tr className="border-b border-line/60 max-lg:block">
        <th colSpan={COLUMN_COUNT} scope="rowgroup" className="p-0 text-left max-lg:block max-lg:bg-panel">
          <button
            type="button"
            aria-expanded={isUnfolded}
            onClick={onToggle}
            className="flex min-h-7 w-full items-center gap-1.5 px-4 text-left text-xs font-normal focus-visible:-outline-offset-2 max-lg:min-h-11"
          >
            <span
              aria-hidden="true"
              className={`w-3.5 text-center text-muted ${isUnfolded ? "" : "-rotate-90"}`}
            >
              ⌄
            </span>
            <span className="font-semibold">Ignored</span> <span className="text-muted">{count}</span>{" "}
            <span className="ml-1 text-muted max-lg:hidden">what the request decides, not the agent</span>
          </button>
        </th>
      </tr>
      {isUnfolded && children}
    </tbody>
  );
}
