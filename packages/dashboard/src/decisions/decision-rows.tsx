import { Link } from "@tanstack/react-router";
import type { DecisionRow } from "@whytrace/contract";
import { Fragment, type ReactNode, useState } from "react";
import { paths } from "../paths.ts";
import { InferredBadge, TypeBadge } from "../ui/badges.tsx";
import { formatCost } from "../ui/format/format.ts";
import { type Column, ListTable, ListTableSkeleton } from "../ui/list-table.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonBar } from "../ui/skeleton.tsx";
import { StatusIcon } from "../ui/status.tsx";
import { foldRepeats, sumCosts } from "./fold-repeats.ts";
import { Options } from "./options.tsx";
import { RepeatButton } from "./repeat-button.tsx";

const CELL = "h-16 px-2.5 py-1.5 first:pl-4 last:pr-4 max-lg:h-auto max-lg:p-0!";
/** One line of the table; on a phone, the cells below each other. */
const ROW =
  "relative border-b border-line/60 max-lg:grid max-lg:min-h-28 max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:content-start max-lg:gap-x-3 max-lg:gap-y-1.5 max-lg:px-4 max-lg:py-3";

const COLUMNS: Column[] = [
  ["Type", "w-36"],
  ["Options", ""],
  ["Reasoning", ""],
  ["Cost", "w-24 text-right max-xl:hidden"],
  ["Trace", "w-64 2xl:w-[20%]"],
];

/** Repeated decisions of a trace are one row, with a button that shows them all. */
export function DecisionRows({ decisions }: { decisions: DecisionRow[] }) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) => {
    const next = new Set(expanded);
    if (!next.delete(key)) next.add(key);
    setExpanded(next);
  };
  return (
    <ListTable columns={COLUMNS}>
      {foldRepeats(decisions).map(({ key, decisions: [first, ...repeats] }) => {
        const isExpanded = expanded.has(key);
        return (
          <Fragment key={key}>
            <Row
              decision={first}
              costUsd={isExpanded ? first.costUsd : sumCosts([first, ...repeats])}
              isSum={!isExpanded && repeats.length > 0}
            >
              {repeats.length > 0 && (
                <RepeatButton
                  count={repeats.length + 1}
                  isExpanded={isExpanded}
                  onToggle={() => toggle(key)}
                />
              )}
            </Row>
            {isExpanded &&
              repeats.map((decision) => (
                <Row key={decision.id} decision={decision} costUsd={decision.costUsd} isRepeat />
              ))}
          </Fragment>
        );
      })}
    </ListTable>
  );
}

/** The table while its rows load. */
export function DecisionRowsSkeleton({ count = 12 }: { count?: number }) {
  return (
    <ListTableSkeleton columns={COLUMNS} count={count} rowClassName={ROW}>
      {["w-20", "w-3/4", "w-full", "ml-auto w-12 max-lg:hidden", "w-2/3"].map((width) => (
        <td
          key={width}
          className={`${CELL} max-lg:col-span-2 ${width.startsWith("ml-auto") ? "lg:max-xl:hidden" : ""}`}
        >
          <SkeletonBar className={width} />
        </td>
      ))}
    </ListTableSkeleton>
  );
}

interface RowProps {
  decision: DecisionRow;
  costUsd: number | null;
  /** Whether the cost is the sum of folded decisions. */
  isSum?: boolean;
  /** Whether the row belongs to the expanded row above it. */
  isRepeat?: boolean;
  children?: ReactNode;
}

function Row({ decision, costUsd, isSum = false, isRepeat = false, children }: RowProps) {
  const { id, type, chosen, alternatives, alternativesKnown, inferred, reasoning, timestamp, trace } =
    decision;
  return (
    <tr className={`${ROW} hover:bg-panel focus-within:bg-panel ${isRepeat ? "bg-panel/60" : ""}`}>
      <td className={CELL}>
        <span className={`flex flex-wrap items-center gap-1 ${isRepeat ? "lg:pl-3" : ""}`}>
          <TypeBadge type={type} />
          {inferred && <InferredBadge />}
          {children}
        </span>
      </td>
      <td className={`${CELL} max-lg:col-span-2`}>
        <Options
          type={type}
          chosen={chosen}
          alternatives={alternatives}
          alternativesKnown={alternativesKnown}
        />
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
        className={`${CELL} text-right tabular-nums max-lg:col-start-2 max-lg:row-start-1 lg:max-xl:hidden`}
        title={costUsd === null ? undefined : `$${costUsd}`}
      >
        {isSum && costUsd !== null && "Σ "}
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
