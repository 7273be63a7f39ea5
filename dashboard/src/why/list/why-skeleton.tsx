import { linearScale } from "../../ui/interval-scale.ts";
import { SkeletonBar } from "../../ui/skeleton.tsx";
import { COLUMN_COUNT, COLUMNS, ROW } from "./why-columns.ts";
import { WhyHead } from "./why-table.tsx";

const ROWS = 9;
const NO_SCALE = { ...linearScale([]), ticks: [] };

/** The table while it loads. */
export function WhySkeleton() {
  return (
    <div role="status" aria-label="Loading" className="animate-[fade-in_0s_150ms_both]">
      <table className="w-full table-fixed border-collapse max-xl:block">
        <WhyHead scale={NO_SCALE} />
        <tbody className="max-xl:block">
          <tr className="h-7 border-b border-line/60 max-xl:block max-xl:h-11">
            <td colSpan={COLUMN_COUNT} className="px-4">
              <SkeletonBar className="w-40" />
            </td>
          </tr>
          {Array.from({ length: ROWS }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
            <tr key={index} data-skeleton className={`${ROW} xl:h-13.5`}>
              {Object.entries(COLUMNS).map(([column, className]) => (
                <td key={column} className={className}>
                  <SkeletonBar className={column === "plot" ? "w-2/3" : "ml-auto w-3/4"} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
