import type { ReactNode } from "react";

export type Column = readonly [label: string, className: string];

interface ListTableProps {
  columns: readonly Column[];
  children: ReactNode;
}

const HEAD = "h-8 px-2.5 text-left text-xs font-medium text-muted first:pl-4 last:pr-4";

/** A list as a table; below the width of a table each row is a block of its own, and the heads are only heard. */
export function ListTable({ columns, children }: ListTableProps) {
  return (
    <table className="w-full table-fixed border-collapse max-lg:block">
      <thead className="border-b border-line bg-panel max-lg:sr-only">
        <tr>
          {columns.map(([label, className]) => (
            <th key={label} scope="col" className={`${HEAD} ${className}`}>
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

/** The same table before its rows are known: so many rows of the cells given. */
export function ListTableSkeleton({ columns, count, rowClassName, children }: ListTableSkeletonProps) {
  return (
    <div role="status" aria-label="Loading" className="animate-[fade-in_0s_150ms_both]">
      <ListTable columns={columns}>
        {Array.from({ length: count }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
          <tr key={i} data-skeleton className={rowClassName}>
            {children}
          </tr>
        ))}
      </ListTable>
    </div>
  );
}
