import { Link } from "@tanstack/react-router";
import type { ScoreSummary } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { type CountedTraces, TraceCount } from "../traces/trace-count.tsx";
import { Tag } from "../ui/badges.tsx";
import { formatPercent } from "../ui/format/format-percent.ts";
import { type Column, ListTable } from "../ui/list-table.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { countedRuns, type NamedSummary } from "./counted-runs.ts";
import { DaySparkline } from "./day-sparkline.tsx";
import { kindWords, shortValue } from "./score-kind-words.ts";
import type { ScoresSearch } from "./scores-search.ts";

interface NamesTableProps {
  summary: ScoreSummary;
  search: ScoresSearch;
  /** The name whose details are shown. */
  opened: string | undefined;
}

const COLUMNS: readonly Column[] = [
  ["Name", "w-[22%]"],
  ["Source", "w-[12%]"],
  ["Kind", "w-[10%]"],
  ["Runs", "w-[8%] text-right"],
  ["Share of runs", "w-[13%]"],
  ["Says", "w-[15%]"],
  ["By day", "w-[10%]"],
  ["Last", "w-[10%] text-right"],
];

const CELL = "px-2.5 align-middle first:pl-4 last:pr-4 max-lg:p-0!";
const ROW =
  "relative h-11 border-b border-line/60 hover:bg-panel focus-within:shadow-[inset_3px_0_var(--color-accent)] max-lg:grid max-lg:h-auto max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:gap-y-1 max-lg:px-4 max-lg:py-3";
const OPENED = "bg-[color-mix(in_oklab,var(--color-accent)_11%,var(--color-bg))]!";
/** Above the link that covers the row. */
const ABOVE = "relative z-[1] hover:underline";

/** All names, with what came under each. */
export function NamesTable({ summary, search, opened }: NamesTableProps) {
  const counted = countedRuns(summary, search);
  return (
    <ListTable columns={COLUMNS}>
      {summary.names.map((row) => (
        <tr
          key={row.name}
          aria-current={row.name === opened || undefined}
          className={`${ROW} ${row.name === opened ? OPENED : ""}`}
        >
          <td className={CELL}>
            <Link
              to={paths.scores}
              search={{ ...search, name: row.name }}
              resetScroll={false}
              data-row={row.name}
              title={row.name}
              className="block truncate font-semibold after:absolute after:inset-0 focus-visible:outline-none"
            >
              {row.name}
            </Link>
            {row.isOneSided && <span className="block text-xs text-retry">⚠ complaints only</span>}
          </td>
          <td className={`${CELL} max-lg:text-right`}>
            <span className="inline-flex flex-wrap gap-1">
              {row.sources.map((source) => (
                <Tag key={source}>{source}</Tag>
              ))}
            </span>
          </td>
          <td className={`${CELL} text-muted`}>{kindWords(row)}</td>
          <td className={`${CELL} text-right tabular-nums`}>
            <TraceCount
              traces={{ ...counted, scoreName: row.name }}
              label={`${row.runs} runs with ${row.name}`}
              className={ABOVE}
            >
              {row.runs.toLocaleString("en")}
              <span className="lg:hidden"> {row.runs === 1 ? "run" : "runs"}</span>
            </TraceCount>
          </td>
          <td className={`${CELL} max-lg:hidden`}>
            <span className="flex items-center gap-2">
              <span aria-hidden="true" className="block h-1.5 w-16 overflow-hidden rounded-full bg-sunken">
                <span
                  className="block h-full bg-control"
                  style={{ width: `${(100 * row.runs) / Math.max(1, summary.runs)}%` }}
                />
              </span>
              <span className="text-xs text-muted">
                {formatPercent(row.runs / Math.max(1, summary.runs))}
              </span>
            </span>
          </td>
          <td className={CELL}>
            <Says row={row} counted={counted} />
          </td>
          <td className={`${CELL} max-lg:justify-self-end`}>
            <DaySparkline row={row} from={summary.from} to={summary.to} />
          </td>
          <td className={`${CELL} text-right text-xs text-muted max-lg:hidden`}>
            <RelativeTime instant={row.lastAt} />
          </td>
        </tr>
      ))}
    </ListTable>
  );
}

/** `129 false of 362`, `mean 0.78, 0.77 to 0.80`. */
function Says({ row, counted }: { row: NamedSummary; counted: CountedTraces }) {
  if (row.kinds.includes("boolean"))
    return (
      <>
        <TraceCount
          traces={{ ...counted, scoreName: row.name, scoreIs: "false" }}
          className={`${ABOVE} font-semibold ${row.bad > 0 ? "text-error" : ""}`}
        >
          {row.bad.toLocaleString("en")} false
        </TraceCount>{" "}
        of {row.said.toLocaleString("en")}
      </>
    );
  if (row.mean !== null)
    return (
      <>
        mean <b className="font-semibold">{shortValue(row.mean)}</b>
        {row.low !== null && row.high !== null && (
          <span className="text-muted">
            {" "}
            {shortValue(row.low)} to {shortValue(row.high)}
          </span>
        )}
      </>
    );
  return (
    <>
      {row.bad.toLocaleString("en")} of {row.said.toLocaleString("en")} say bad
    </>
  );
}
