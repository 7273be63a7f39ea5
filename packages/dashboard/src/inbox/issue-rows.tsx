import { Link } from "@tanstack/react-router";
import type { Issue } from "@whytrace/contract";
import type { RangeName } from "../client/time-ranges.ts";
import { issueTraces } from "../issue/issue-traces.ts";
import { Avatar } from "../issues/avatar.tsx";
import { IssueState } from "../issues/issue-state.tsx";
import { TrendBars } from "../issues/trend-bars.tsx";
import { paths } from "../paths.ts";
import { Tag } from "../ui/badges.tsx";
import { formatPercent } from "../ui/format/format-percent.ts";
import { type IntervalScale, rateScale } from "../ui/intervals/interval-scale.ts";
import { type Column, ListTable } from "../ui/list-table.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { LikelyLine } from "./likely-line.tsx";
import { ShareMark } from "./share-mark.tsx";

interface IssueRowsProps {
  issues: readonly Issue[];
  range: RangeName | undefined;
  selected: readonly number[];
  /** Undefined: issues cannot be selected. */
  onToggle: ((number: number) => void) | undefined;
}

const columns = (top: number): Column[] => [
  ["Issue", ""],
  ["Runs", "w-24 text-right"],
  [`Share, 0 to ${formatPercent(top)}`, "w-[15%] whitespace-nowrap"],
  ["By day", "w-[10%]"],
  ["People", "w-20 text-right"],
  ["Likely decision → better", "w-[18%] max-xl:hidden"],
  ["Last seen", "w-36 text-right"],
];

const CELL = "px-2.5 py-2 align-middle first:pl-4 last:pr-4 max-lg:p-0!";
const ROW =
  "group relative border-b border-line/60 motion-safe:animate-[fade-in_180ms] hover:bg-panel focus-within:bg-[color-mix(in_oklab,var(--color-accent)_9%,var(--color-bg))] focus-within:shadow-[inset_3px_0_var(--color-accent)] data-selected:bg-[color-mix(in_oklab,var(--color-accent)_11%,var(--color-bg))] max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:items-center max-lg:gap-x-4 max-lg:gap-y-1.5 max-lg:px-4 max-lg:py-3";
/** Above the link that covers the row. */
const ABOVE = "relative z-[1]";

/** Issues as rows. Each row links to its issue, and its number of runs to their list. */
export function IssueRows({ issues, range, selected, onToggle }: IssueRowsProps) {
  const scale = rateScale(issues.map(({ share }) => share?.high ?? 0));
  return (
    <ListTable columns={columns(scale.ticks.at(-1) ?? 1)}>
      {issues.map((issue) => (
        <IssueRow
          key={issue.number}
          issue={issue}
          range={range}
          scale={scale}
          isSelected={selected.includes(issue.number)}
          onToggle={onToggle && (() => onToggle(issue.number))}
        />
      ))}
    </ListTable>
  );
}

interface IssueRowProps {
  issue: Issue;
  range: RangeName | undefined;
  scale: IntervalScale;
  isSelected: boolean;
  onToggle: (() => void) | undefined;
}

function IssueRow({ issue, range, scale, isSelected, onToggle }: IssueRowProps) {
  const { number, title, agent, state, kind, problems, regression, runs, share, people } = issue;
  return (
    <tr className={ROW} data-selected={isSelected || undefined} data-issue={number}>
      <td className={`${CELL} max-lg:col-span-2 max-lg:min-w-0`}>
        <div className="flex items-center gap-2">
          <Link
            to={paths.issue}
            params={{ number: String(number) }}
            search={range ? { range } : {}}
            data-row={number}
            title={title}
            className="line-clamp-2 min-w-0 text-base font-semibold wrap-anywhere after:absolute after:inset-0 focus-visible:outline-none"
          >
            {title}
          </Link>
          {onToggle && (
            <button
              type="button"
              aria-pressed={isSelected}
              aria-label={`Select #${number}`}
              title="Select (x)"
              onClick={onToggle}
              className={`${ABOVE} ml-auto grid size-6 shrink-0 place-items-center rounded-[5px] border border-control bg-bg text-xs font-semibold opacity-0 hover:border-accent focus:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-bg aria-pressed:opacity-100 max-lg:size-8 max-lg:opacity-100`}
            >
              {isSelected ? "✓" : <span className="max-lg:hidden">x</span>}
            </button>
          )}
        </div>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2.5 gap-y-0.5 text-xs text-muted">
          <IssueState state={state} />
          <span>#{number}</span>
          <span className="min-w-0 truncate">{agent}</span>
          {state === "regressed" && regression?.release && <Tag>{`back in ${regression.release}`}</Tag>}
          {kind !== "error" && <Tag>{kind}</Tag>}
          {problems > 1 && <Tag>{`${problems} problems merged`}</Tag>}
        </p>
      </td>
      <td className={`${CELL} text-right tabular-nums max-lg:col-start-2 max-lg:row-start-2`}>
        <Link
          to={paths.traces}
          search={issueTraces(issue)}
          className={`${ABOVE} block font-semibold hover:underline`}
        >
          {runs.toLocaleString("en")}
          <span className="font-normal lg:sr-only"> {runs === 1 ? "run" : "runs"}</span>
          <span className="sr-only"> of #{number}</span>
        </Link>
        {share && (
          <span className="block whitespace-nowrap text-xs text-muted">
            of {share.of.toLocaleString("en")}
          </span>
        )}
      </td>
      <td className={`${CELL} max-lg:col-span-2 max-lg:row-start-3`}>
        <ShareMark share={share} scale={scale} />
      </td>
      <td className={`${CELL} max-lg:row-start-4`}>
        <TrendBars issue={issue} className="h-7 w-full max-w-32" />
      </td>
      <td className={`${CELL} text-right tabular-nums max-lg:hidden`}>
        {people === null ? (
          <span title="The runs do not say for whom they were made">–</span>
        ) : (
          people.toLocaleString("en")
        )}
      </td>
      <td className={`${CELL} max-xl:hidden max-lg:row-start-2 max-lg:block!`}>
        <LikelyLine issue={issue} />
      </td>
      <td className={`${CELL} max-lg:col-start-2 max-lg:row-start-4`}>
        <LastSeen issue={issue} />
      </td>
    </tr>
  );
}

function LastSeen({ issue: { lastSeen, lastRelease, assignee } }: { issue: Issue }) {
  return (
    <span className="flex items-center justify-end gap-2">
      <Avatar person={assignee} />
      <span className="grid min-w-0 justify-items-end">
        {lastSeen === null ? "all runs deleted" : <RelativeTime instant={lastSeen} />}
        <span title={lastRelease ?? undefined} className="max-w-24 truncate text-xs text-muted">
          {lastRelease ?? "no release"}
        </span>
      </span>
    </span>
  );
}
