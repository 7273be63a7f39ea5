import type { ReactNode } from "react";

/** How a column orders the list, and what a click on its head does. */
export interface ColumnSort {
  direction: "ascending" | "descending" | undefined;
  onSort: () => void;
}

export type Column = readonly [label: string, className: string, sort?: ColumnSort | undefined];

interface ListTableProps {
  columns: readonly Column[];
  children: ReactNode;
}

const HEADER_CELL = "h-8 px-2.5 text-left text-xs font-medium text-muted first:pl-4 last:pr-4";

/** A list as a table. On narrow screens each row is a block, and only screen readers get the column headers. */
export function ListTable({ columns, isBusy = false, children }: ListTableProps & { isBusy?: boolean }) {
  return (
    <table aria-busy={isBusy} className="w-full table-fixed border-collapse max-lg:block">
      <thead className="border-b border-line bg-panel max-lg:sr-only">
        <tr>
          {columns.map(([label, className, sort]) => (
            <th key={label} scope="col" aria-sort={sort?.direction} className={`${HEADER_CELL} ${className}`}>
              {sort && <SortButton label={label} {...sort} />}
              <span className={sort && "lg:hidden"}>{label}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-lg:block">{children}</tbody>
    </table>
  );
}

const ARROWS = { ascending: "↑", descending: "↓" } as const;

/** The arrow stands on the inner side, so that the words stay above their column. */
function SortButton({ label, direction, onSort }: ColumnSort & { label: string }) {
  return (
    <button
      type="button"
      className={`relative min-h-6 hover:text-text max-lg:hidden ${direction ? "font-semibold text-text" : ""}`}
      onClick={onSort}
    >
      {direction && (
        <span aria-hidden="true" className="absolute right-full pr-1">
          {ARROWS[direction]}
        </span>
      )}
      {label}
    </button>
  );
}

interface ListTableSkeletonProps extends ListTableProps {
  count: number;
  rowClassName: string;
}

/** The table while its rows load: `count` rows with the given cells. */
export function ListTableSkeleton({ columns, count, rowClassName, children }: ListTableSkeletonProps) {
  return (
    <div role="status" aria-label="Loading" className="animate-[fade-in_0s_150ms_both]">
      <ListTable columns={columns}>
        {Array.from({ length: count }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
          <tr key={i} data-skeleton className={rowClassName}>
            {children}
          </tr>
        ))}
      </ListTable>
    </div>
  );
}
