import { Link } from "@tanstack/react-router";
import type { TracePreview, TraceRow, TraceSort } from "@whytrace/contract";
import type { ReactNode } from "react";
import { useKeptUntil } from "../client/use-kept-until.ts";
import { paths } from "../paths.ts";
import { OutcomeBadge } from "../scores/outcome-badge.tsx";
import type { GivenReview } from "../scores/use-save-review.ts";
import { Tag } from "../ui/badges.tsx";
import { formatCost, formatCount, formatDate, formatDuration, formatExact } from "../ui/format/format.ts";
import { type Column, ListTable, ListTableSkeleton } from "../ui/list-table.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonBar } from "../ui/skeleton.tsx";
import { StatusIcon } from "../ui/status.tsx";
import { ThumbIcon } from "../ui/thumb-icon.tsx";
import { errorText } from "./error-text.ts";
import { MarkBox } from "./mark-box.tsx";
import { PreviewLine } from "./preview-line.tsx";
import { markOf } from "./selection.ts";
import { sortColumn } from "./sort-column.ts";
import { DEFAULT_COLUMNS, type TraceColumn } from "./trace-columns.ts";
import { usePreviews } from "./use-previews.ts";

const MAX_TAGS = 2;
const ROW_FIELDS = ["error", "input"] as const;
const ALL_FIELDS = [...ROW_FIELDS, "output"] as const;
const CELL = "h-13 px-2.5 first:pl-4 last:pr-4 not-first:overflow-hidden max-lg:h-auto";
/** Two lines of the table; on narrow screens three. */
const ROW =
  "relative border-b border-line/60 max-lg:grid max-lg:h-20 max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:content-center max-lg:items-center max-lg:gap-y-1";

const COLUMNS: Column[] = [
  ["Name", ""],
  ["Error", "w-[17%]"],
  ["Input", "w-[17%]"],
  ["Output", "w-[17%]"],
  ["Tags", "w-[10%] max-xl:hidden"],
  ["Model", "w-[11%] max-xl:hidden"],
  ["Steps", "w-40"],
  ["Duration", "w-36 text-right max-[1439px]:w-24"],
  ["Cost", "w-24 text-right"],
  ["Tokens", "w-20 text-right max-[1439px]:hidden"],
  ["Started", "w-28 text-right"],
];

const shownColumns = (shown: readonly string[], order?: TraceOrder) =>
  COLUMNS.filter(([label]) => label === "Name" || shown.includes(label)).map(
    ([label, className]): Column =>
      order ? [label, className, sortColumn(label, order.sort, order.onSort)] : [label, className],
  );

/** How the rows are ordered, and what changes it. */
interface TraceOrder {
  sort: TraceSort;
  onSort: (sort: TraceSort) => void;
}

interface TraceRowsProps {
  traces: TraceRow[];
  shown?: readonly TraceColumn[];
  /** The ids of the traces that are selected. */
  selected?: readonly string[];
  /** Those that were given in this list, by the trace's id. */
  reviews?: ReadonlyMap<string, GivenReview>;
  /** Without it, rows cannot be selected. */
  onMark?: (id: string, isRange: boolean) => void;
  /** Without it, the heads of columns do not sort. */
  order?: TraceOrder;
}

export function TraceRows({
  traces,
  shown = DEFAULT_COLUMNS,
  selected = [],
  reviews,
  onMark,
  order,
}: TraceRowsProps) {
  const keptUntil = useKeptUntil();
  const { previews, isPending } = usePreviews(traces, shown.includes("Output") ? ALL_FIELDS : ROW_FIELDS);
  const longestMs = Math.max(1, ...traces.map((trace) => trace.totalDuration ?? 0));
  return (
    <ListTable columns={shownColumns(shown, order)} isBusy={isPending}>
      {traces.map((trace) => (
        <Row
          key={trace.id}
          trace={trace}
          preview={previews.get(trace.id)}
          shown={shown}
          longestMs={longestMs}
          keptUntilMs={keptUntil(trace)}
          markBox={
            onMark && (
              <MarkBox
                name={trace.name}
                mark={markOf(selected, trace.id)}
                onToggle={(isRange) => onMark(trace.id, isRange)}
              />
            )
          }
        >
          <OutcomeBadge status={trace.status} outcome={trace.outcome} />
          <ReviewMark review={reviews?.get(trace.id)} />
        </Row>
      ))}
    </ListTable>
  );
}

/** The table while its rows load. */
export function TraceRowsSkeleton({
  count = 20,
  shown = DEFAULT_COLUMNS,
}: {
  count?: number;
  shown?: readonly TraceColumn[];
}) {
  return (
    <ListTableSkeleton columns={shownColumns(shown)} count={count} rowClassName={ROW}>
      <td className={`${CELL} max-lg:col-span-2`}>
        <SkeletonBar className="w-1/2" />
        <SkeletonBar className="mt-2 w-2/3" />
      </td>
      {(["Error", "Input", "Output"] as const).map(
        (column) =>
          shown.includes(column) && (
            <td key={column} className={`${CELL} max-lg:hidden`}>
              <SkeletonBar className="w-2/3" />
            </td>
          ),
      )}
      {shown.includes("Tags") && (
        <td className={`${CELL} max-xl:hidden`}>
          <SkeletonBar className="w-2/3" />
        </td>
      )}
      {shown.includes("Model") && (
        <td className={`${CELL} max-xl:hidden`}>
          <SkeletonBar className="w-2/3" />
        </td>
      )}
      {shown.includes("Steps") && (
        <td className={CELL}>
          <SkeletonBar className="w-28" />
        </td>
      )}
      {shown.includes("Duration") && (
        <td className={`${CELL} max-lg:hidden`}>
          <SkeletonBar className="ml-auto w-2/3" />
        </td>
      )}
      {shown.includes("Cost") && (
        <td className={`${CELL} max-lg:hidden`}>
          <SkeletonBar className="ml-auto w-12" />
        </td>
      )}
      {shown.includes("Tokens") && (
        <td className={`${CELL} max-[1439px]:hidden`}>
          <SkeletonBar className="ml-auto w-10" />
        </td>
      )}
      {shown.includes("Started") && (
        <td className={CELL}>
          <SkeletonBar className="ml-auto w-16" />
        </td>
      )}
    </ListTableSkeleton>
  );
}

interface RowProps {
  trace: TraceRow;
  preview: TracePreview | undefined;
  shown: readonly TraceColumn[];
  longestMs: number;
  keptUntilMs: number | null;
  markBox: ReactNode;
  children: ReactNode;
}

function Row({ trace, preview, shown, longestMs, keptUntilMs, markBox, children }: RowProps) {
  const isShown = (column: TraceColumn) => shown.includes(column);
  const { id, name, status, tags, _count: counts, totalDuration, totalCost, totalTokens, startedAt } = trace;
  const { models: [model, ...otherModels] = [] } = trace;
  return (
    <tr className={`group ${ROW} hover:bg-panel focus-within:bg-panel`}>
      <td className={`${CELL} ${markBox ? "pl-12!" : ""}`}>
        {markBox}
        <span className="flex min-w-0 items-center gap-2">
          <StatusIcon status={status} />
          {/* The link covers the row, so that users can click, open in a new tab or copy it anywhere. */}
          <Link
            to={paths.trace}
            params={{ id }}
            data-row
            data-trace={id}
            title={name}
            className="truncate font-medium after:absolute after:inset-0 focus-visible:-outline-offset-2"
          >
            {name}
          </Link>
          {children}
        </span>
        <PreviewLine trace={trace} preview={preview} />
      </td>
      {isShown("Error") && <TextCell text={preview ? errorText(preview) : null} />}
      {isShown("Input") && <TextCell text={preview?.input} />}
      {isShown("Output") && <TextCell text={preview?.output} />}
      {isShown("Tags") && (
        <td className={`${CELL} max-xl:hidden`}>
          <span
            className="flex max-h-11 flex-wrap items-center gap-x-1 gap-y-0.5 overflow-hidden"
            title={tags.join(", ")}
          >
            {tags.slice(0, MAX_TAGS).map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
            {tags.length > MAX_TAGS && (
              <span className="text-xs leading-5 text-muted">+{tags.length - MAX_TAGS}</span>
            )}
          </span>
        </td>
      )}
      {isShown("Model") && (
        <td className={`${CELL} max-xl:hidden`}>
          <span className="line-clamp-2 break-words text-muted" title={trace.models?.join(", ")}>
            {model}
            {otherModels.length > 0 && ` +${otherModels.length}`}
          </span>
        </td>
      )}
      {isShown("Steps") && (
        <td className={`${CELL} max-lg:row-start-2 ${markBox ? "max-lg:pl-18!" : "max-lg:pl-10!"}`}>
          <span className="grid grid-cols-[2.75rem_3.25rem_auto] tabular-nums">
            <ItemCount singular="decision" symbol="◆" className="text-accent" count={counts.decisionPoints} />
            <ItemCount singular="span" symbol="▤" className="text-muted" count={counts.spans} />
            <ItemCount singular="event" symbol="⚑" className="text-muted" count={counts.events} />
          </span>
        </td>
      )}
      {isShown("Duration") && (
        <td className={`${CELL} text-right tabular-nums max-lg:row-start-2 max-lg:pr-4!`}>
          <span
            className="inline-flex items-center gap-2 whitespace-nowrap"
            title={totalDuration === null ? undefined : `${formatExact(totalDuration)} ms`}
          >
            {formatDuration(totalDuration)}
            <span
              aria-hidden="true"
              className="h-1 w-16 overflow-hidden rounded bg-sunken max-[1439px]:hidden"
            >
              <span
                className={`block h-full ${status === "ERROR" ? "bg-error/75" : "bg-agent/75"}`}
                style={{ width: `${((totalDuration ?? 0) / longestMs) * 100}%` }}
              />
            </span>
          </span>
        </td>
      )}
      {isShown("Cost") && (
        <td
          className={`${CELL} text-right tabular-nums max-lg:hidden`}
          title={totalCost === null ? undefined : `$${totalCost}`}
        >
          {formatCost(totalCost)}
        </td>
      )}
      {isShown("Tokens") && (
        <td
          className={`${CELL} text-right tabular-nums max-[1439px]:hidden`}
          title={formatExact(totalTokens)}
        >
          {formatCount(totalTokens)}
        </td>
      )}
      {isShown("Started") && (
        <td className={`${CELL} text-right text-muted tabular-nums max-lg:col-start-2 max-lg:row-start-1`}>
          <RelativeTime
            instant={startedAt}
            note={keptUntilMs === null ? undefined : `Kept until ${formatDate(keptUntilMs)}`}
          />
        </td>
      )}
    </tr>
  );
}

function TextCell({ text }: { text: string | null | undefined }) {
  return (
    <td className={`${CELL} max-lg:hidden`}>
      <span title={text ?? undefined} className="line-clamp-2 break-words text-xs text-muted">
        {text}
      </span>
    </td>
  );
}

/** What the user has just said about the run. */
function ReviewMark({ review }: { review: GivenReview | undefined }) {
  if (!review || review.status === "failed" || review.value === null) return null;
  const { value } = review;
  return (
    <span
      role="img"
      aria-label={value ? "You said: good" : "You said: bad"}
      title={value ? "You said: good" : "You said: bad"}
      className={value ? "text-completed" : "text-error"}
    >
      <ThumbIcon isUp={value} />
    </span>
  );
}

interface ItemCountProps {
  singular: string;
  symbol: string;
  count: number;
  className: string;
}

function ItemCount({ singular, symbol, count, className }: ItemCountProps) {
  const noun = count === 1 ? singular : `${singular}s`;
  return (
    <span title={`${formatExact(count)} ${noun}`} className="whitespace-nowrap">
      <span aria-hidden="true" className={`mr-1 text-xs ${className}`}>
        {symbol}
      </span>
      {formatCount(count)}
      <span className="sr-only"> {noun}</span>
    </span>
  );
}
