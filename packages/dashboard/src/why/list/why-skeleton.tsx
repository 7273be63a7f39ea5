import { SkeletonBar } from "../../ui/skeleton.tsx";
import { COLUMNS, ROW } from "./why-columns.ts";
import { WhyHead } from "./why-table.tsx";

const ROWS = 9;

/** The table while it loads. */
export function WhySkeleton() {
  return (
    <div role="status" aria-label="Loading" className="animate-[fade-in_0s_150ms_both]">
      <table className="w-full table-fixed border-collapse max-lg:block">
        <WhyHead />
        <tbody className="max-lg:block">
          {Array.from({ length: ROWS }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
            <tr key={index} data-skeleton className={`${ROW} lg:h-13.5`}>
              {Object.entries(COLUMNS).map(([column, className]) => (
                <td key={column} className={className}>
                  <SkeletonBar className={column === "shares" ? "w-2/3" : "ml-auto w-3/4"} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
