import { Link } from "@tanstack/react-router";
import type { ScoreSeries } from "@whytrace/contract";
import type { KeyboardEvent } from "react";
import { omitEmpty } from "../client/search-params.ts";
import { paths } from "../paths.ts";
import { type CountedTraces, TraceCount } from "../traces/trace-count.tsx";
import { SkeletonLine } from "../ui/skeleton.tsx";
import type { NamedSummary } from "./counted-runs.ts";
import { daysBetween, startedOn } from "./days-between.ts";
import { shortValue } from "./score-kind-words.ts";

type Day = ScoreSeries["days"][number];

interface DayChartProps {
  opened: NamedSummary;
  days: readonly Day[];
  counted: CountedTraces;
}

const PARTS = [
  { label: "bad", tint: "bg-error", count: ({ bad }: Day) => bad },
  { label: "answered, not bad", tint: "bg-completed", count: ({ answered, bad }: Day) => answered - bad },
  {
    label: "asked, no answer",
    tint: "bg-[repeating-linear-gradient(135deg,var(--color-control)_0_2px,var(--color-sunken)_2px_5px)]",
    count: ({ silent }: Day) => silent,
  },
] as const;

/** Of numbers nobody knows which are bad. */
const NEUTRAL = "bg-control";

/** Runs by day and what was said about them, the mean of numbers, and the same as a table. Each day links to its runs. */
export function DayChart({ opened, days, counted }: DayChartProps) {
  const { name, kinds, said } = opened;
  const byDay = new Map(days.map((day) => [day.day, day]));
  const all = daysBetween(counted.startedFrom ?? "", counted.startedTo ?? "");
  const top = Math.max(1, ...days.map(({ answered, silent }) => answered + silent));
  const hasMean = kinds.includes("number");
  const isNeutral = said === 0;
  const firstMarked = all.find((day) => isMarked(byDay.get(day)));
  return (
    <div className="p-3">
      <Legend days={days} isNeutral={isNeutral} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the key events come from the links inside */}
      <div className="grid gap-2" onKeyDown={moveFocus}>
        <ul aria-label={`${name} by day`} className="flex h-24 items-end gap-px border-b border-line">
          {all.map((key) => {
            const day = byDay.get(key);
            return (
              <li key={key} className="flex h-full min-w-0 flex-1 flex-col justify-end">
                {day && isMarked(day) && (
                  <Link
                    to={paths.traces}
                    search={omitEmpty({ agent: counted.agent, scoreName: name, ...startedOn(key) })}
                    data-mark
                    tabIndex={key === firstMarked ? 0 : -1}
                    aria-label={dayWords(day)}
                    title={dayWords(day)}
                    className="flex flex-col-reverse hover:brightness-110"
                    style={{ height: `${((day.answered + day.silent) / top) * 100}%` }}
                  >
                    {PARTS.map(({ label, tint, count }, index) => (
                      <span
                        key={label}
                        className={`block ${isNeutral && index === 1 ? NEUTRAL : tint}`}
                        style={{ flexGrow: count(day) }}
                      />
                    ))}
                  </Link>
                )}
              </li>
            );
          })}
        </ul>
        {hasMean && <MeanPlot all={all} byDay={byDay} name={name} />}
      </div>
      <p aria-hidden="true" className="flex justify-between pt-1.5 text-xs text-muted">
        <span>{all[0]}</span>
        <span>{all.at(-1)}</span>
      </p>
      <DayTable name={name} days={days} counted={counted} hasMean={hasMean} />
    </div>
  );
}

/** The chart while it loads. */
export function DayChartSkeleton({ opened }: Pick<DayChartProps, "opened">) {
  return (
    <div
      role="status"
      aria-label="Loading"
      data-skeleton
      className={`grid animate-[fade-in_0s_150ms_both] content-between p-3 ${opened.kinds.includes("number") ? "h-66.5" : "h-48.5"}`}
    >
      <SkeletonLine className="w-48" />
      <SkeletonLine className="w-full" />
      <SkeletonLine className="w-24" />
    </div>
  );
}

const isMarked = (day: Day | undefined) => day !== undefined && day.answered + day.silent > 0;

const dayWords = ({ day, answered, asked, bad, mean }: Day) =>
  [
    `${day}: ${answered} answered`,
    asked > 0 && `${asked} asked`,
    bad > 0 && `${bad} bad`,
    mean !== null && `mean ${shortValue(mean)}`,
  ]
    .filter(Boolean)
    .join(", ");

function Legend({ days, isNeutral }: { days: readonly Day[]; isNeutral: boolean }) {
  const shown = PARTS.filter(({ count }) => days.some((day) => count(day) > 0));
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 pb-3 text-xs text-muted">
      {shown.map(({ label, tint }) => {
        const isPlain = isNeutral && label === PARTS[1].label;
        return (
          <li key={label} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2.5 rounded-sm ${isPlain ? NEUTRAL : tint}`} />
            {isPlain ? "answered" : label}
          </li>
        );
      })}
    </ul>
  );
}

/** The mean of each day with its 95 % interval. The table says the same in numbers. */
function MeanPlot({
  all,
  byDay,
  name,
}: {
  all: readonly string[];
  byDay: ReadonlyMap<string, Day>;
  name: string;
}) {
  const means = [...byDay.values()].flatMap(({ mean }) => mean ?? []);
  if (means.length === 0) return null;
  // Intervals of few runs may reach far beyond what is possible: they are cut off.
  const low = Math.min(0, ...means);
  const high = Math.max(low + 1e-9, ...means.map((mean) => mean * 1.15));
  const at = (value: number) => `${Math.max(0, Math.min(1, (value - low) / (high - low))) * 100}%`;
  return (
    <div className="flex gap-2">
      <div
        role="img"
        aria-label={`Mean of ${name} by day`}
        className="flex h-16 min-w-0 flex-1 gap-px border-b border-line"
      >
        {all.map((key) => {
          const day = byDay.get(key);
          return (
            <span key={key} className="relative min-w-0 flex-1">
              {day && day.mean !== null && (
                <>
                  {day.low !== null && day.high !== null && (
                    <span
                      className="absolute left-1/2 w-0.5 -translate-x-1/2 bg-control"
                      style={{ bottom: at(day.low), top: `calc(100% - ${at(day.high)})` }}
                    />
                  )}
                  <span
                    className="absolute left-1/2 size-1.5 -translate-x-1/2 translate-y-1/2 rounded-full bg-muted"
                    style={{ bottom: at(day.mean) }}
                  />
                </>
              )}
            </span>
          );
        })}
      </div>
    </div>
  );
}

interface DayTableProps extends Pick<DayChartProps, "days" | "counted"> {
  name: string;
  hasMean: boolean;
}

function DayTable({ name, days, counted, hasMean }: DayTableProps) {
  return (
    <details className="pt-2">
      <summary className="cursor-pointer text-xs font-medium text-muted hover:text-text max-sm:min-h-11 max-sm:py-3">
        As a table
      </summary>
      <section
        aria-label={`${name} by day, as a table`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        tabIndex={0}
        className="max-h-80 overflow-auto"
      >
        <table className="w-full border-collapse text-right text-xs tabular-nums">
          <thead className="text-muted">
            <tr className="[&>th]:px-2 [&>th]:py-1.5 [&>th]:font-medium">
              <th scope="col" className="text-left">
                Day
              </th>
              {["Runs", "Asked", "Answered", "Bad", ...(hasMean ? ["Mean"] : [])].map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => {
              const own = { agent: counted.agent, ...startedOn(day.day) };
              return (
                <tr key={day.day} className="border-t border-line/60 [&>td]:px-2 [&>td]:py-1.5">
                  <th scope="row" className="px-2 text-left font-normal">
                    {day.day}
                  </th>
                  <td>
                    <TraceCount traces={own}>{day.runs}</TraceCount>
                  </td>
                  <td>
                    <TraceCount traces={{ ...own, scoreName: name, scoreAsked: "yes" }}>
                      {day.asked}
                    </TraceCount>
                  </td>
                  <td>
                    <TraceCount traces={{ ...own, scoreName: name }}>{day.answered}</TraceCount>
                  </td>
                  <td className={day.bad > 0 ? "text-error" : ""}>
                    <TraceCount traces={{ ...own, scoreName: name, scoreIs: "false" }}>{day.bad}</TraceCount>
                  </td>
                  {hasMean && (
                    <td className="whitespace-nowrap">
                      {day.mean === null ? "—" : shortValue(day.mean)}
                      {day.low !== null && day.high !== null && (
                        <span className="text-muted">
                          {" "}
                          {shortValue(day.low)} to {shortValue(day.high)}
                        </span>
                      )}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </details>
  );
}

/** The chart is a single tab stop; arrow keys move between its days. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const marks = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-mark]")];
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? marks.indexOf(focused) : -1;
  const moves: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: marks.length - 1,
  };
  const to = moves[event.key];
  if (to === undefined) return;
  event.preventDefault();
  marks[Math.max(0, Math.min(marks.length - 1, to))]?.focus();
}
