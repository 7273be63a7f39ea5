import type { ReactNode } from "react";

export type Column = readonly [label: string, className: string];

interface ListTableProps {
  columns: readonly Column[];
  children: ReactNode;
}

const HEADER_CELL = "h-8 px-2.5 text-left text-xs font-medium text-muted first:pl-4 last:pr-4";

/** A list as a table. On narrow screens each row is a block, and only screen readers get the column headers. */
export function ListTable({ columns, children }: ListTableProps) {
  return (
    <table className="w-full table-fixed border-collapse max-lg:block">
      <thead className="border-b border-line bg-panel max-lg:sr-only">
        <tr>
          {columns.map(([label, className]) => (
            <th key={label} scope="col" className={`${HEADER_CELL} ${className}`}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-lg:block">{children}</tbody>
    </table>
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
