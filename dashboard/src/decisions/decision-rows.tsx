import { Link } from "@tanstack/react-router";
import type { DecisionRow } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { TypeBadge } from "../ui/badges.tsx";
import { formatCost } from "../ui/format.ts";
import { type Column, ListTable, ListTableSkeleton } from "../ui/list-table.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonBar } from "../ui/skeleton.tsx";
import { StatusIcon } from "../ui/status.tsx";
import { Options } from "./options.tsx";

const CELL = "h-16 px-2.5 py-1.5 first:pl-4 last:pr-4 max-lg:h-auto max-lg:p-0!";
/** One line of the table; on a phone, the cells below each other. */
const ROW =
  "relative border-b border-line/60 max-lg:grid max-lg:min-h-28 max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:content-start max-lg:gap-x-3 max-lg:gap-y-1.5 max-lg:px-4 max-lg:py-3";

const COLUMNS: Column[] = [
  ["Type", "w-36"],
  ["Options", ""],
  ["Reasoning", ""],
  ["Cost", "w-24 text-right"],
  ["Trace", "w-[20%]"],
];

export function DecisionRows({ decisions }: { decisions: DecisionRow[] }) {
  return (
    <ListTable columns={COLUMNS}>
      {decisions.map((decision) => (
        <Row key={`${decision.traceId} ${decision.id}`} decision={decision} />
      ))}
    </ListTable>
  );
}

/** The table while its rows load. */
export function DecisionRowsSkeleton({ count = 12 }: { count?: number }) {
  return (
    <ListTableSkeleton columns={COLUMNS} count={count} rowClassName={ROW}>
      {["w-20", "w-3/4", "w-full", "ml-auto w-12 max-lg:hidden", "w-2/3"].map((width) => (
        <td key={width} className={`${CELL} max-lg:col-span-2`}>
          <SkeletonBar className={width} />
        </td>
      ))}
    </ListTableSkeleton>
  );
}

function Row({ decision }: { decision: DecisionRow }) {
  const { id, type, chosen, alternatives, reasoning, costUsd, timestamp, trace } = decision;
  return (
    <tr className={`${ROW} hover:bg-panel focus-within:bg-panel`}>
      <td className={CELL}>
        <TypeBadge type={type} />
      </td>
      <td className={`${CELL} max-lg:col-span-2`}>
        <Options type={type} chosen={chosen} alternatives={alternatives} />
      </td>
      <td className={`${CELL} max-lg:col-span-2`}>
        {reasoning ? (
          <p className="line-clamp-2 text-muted" title={reasoning}>
            {reasoning}
          </p>
        ) : (
          <span className="text-muted max-lg:hidden">—</span>
        )}
      </td>
      <td
        className={`${CELL} text-right tabular-nums max-lg:col-start-2 max-lg:row-start-1`}
        title={costUsd === null ? undefined : `$${costUsd}`}
      >
        {formatCost(costUsd)}
      </td>
      <td className={`${CELL} max-lg:col-span-2`}>
        <span className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] items-center gap-x-2 max-lg:grid-cols-[auto_minmax(0,1fr)_auto]">
          <StatusIcon status={trace.status} />
          {/* The link covers the row and opens this decision in its trace. */}
          <Link
            to={paths.trace}
            params={{ id: trace.id }}
            search={{ decision: id }}
            data-row
            title={trace.name}
            className="truncate font-medium text-accent after:absolute after:inset-0 focus-visible:-outline-offset-2"
          >
            {trace.name}
          </Link>
          <span className="text-xs text-muted lg:col-start-2">
            <RelativeTime instant={timestamp} />
          </span>
        </span>
      </td>
    </tr>
  );
}
