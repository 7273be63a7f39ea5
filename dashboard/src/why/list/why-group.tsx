import type { WhyGroup } from "@whytrace/contract";
import type { ReactNode } from "react";
import { COLUMN_COUNT } from "./why-columns.ts";

interface WhyGroupRowsProps {
  group: WhyGroup;
  count: number;
  hint: string;
  isUnfolded: boolean;
  onToggle: () => void;
  children: ReactNode;
}

const TITLES: Record<WhyGroup, string> = {
  worse: "Worse than an alternative",
  unclear: "No clear difference",
  few: "Nothing to compare yet",
  aside: "Set aside",
};

/** The rows of a group below its title, which folds them. */
export function WhyGroupRows({ group, count, hint, isUnfolded, onToggle, children }: WhyGroupRowsProps) {
  return (
    <tbody className="max-xl:block" data-group={group}>
      <tr className="border-b border-line/60 max-xl:block">
        <th colSpan={COLUMN_COUNT} scope="rowgroup" className="p-0 text-left max-xl:block max-xl:bg-panel">
          <button
            type="button"
            aria-expanded={isUnfolded}
            onClick={onToggle}
            className="flex min-h-7 w-full items-center gap-1.5 px-4 text-left text-xs font-normal focus-visible:-outline-offset-2 max-xl:min-h-11"
          >
            <span
              aria-hidden="true"
              className={`w-3.5 text-center text-muted ${isUnfolded ? "" : "-rotate-90"}`}
            >
              ⌄
            </span>
            <span className="font-semibold">{TITLES[group]}</span> <span className="text-muted">{count}</span>{" "}
            <span className="ml-1 text-muted max-xl:hidden">{hint}</span>
          </button>
        </th>
      </tr>
      {isUnfolded && children}
    </tbody>
  );
}
