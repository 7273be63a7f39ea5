import { Link } from "@tanstack/react-router";
import type { ComparedSide, Interval, ReleaseComparison, ReleaseMeasure } from "@whytrace/contract";
import { omitEmpty } from "../client/search-params.ts";
import { paths } from "../paths.ts";
import type { TracesSearch } from "../traces/filters/traces-search.ts";
import { formatCost, formatDuration } from "../ui/format/format.ts";
import { formatPercent } from "../ui/format/format-percent.ts";
import { IntervalMark } from "../ui/intervals/interval-mark.tsx";
import { linearScale } from "../ui/intervals/interval-scale.ts";
import { sideTraces } from "./side-traces.ts";
import { VerdictIcon, verdictLabel } from "./verdict-icon.tsx";

const NAMES: Record<ReleaseMeasure["name"], string> = {
  bad: "Bad runs",
  cost: "Cost of a run",
  time: "Time of a run",
};
/** Which traces show it. */
const SHOWN_BY: Record<ReleaseMeasure["name"], TracesSearch> = {
  bad: { outcome: "bad" },
  cost: { sort: "costliest" },
  time: { sort: "longest" },
};
const HEAD = "px-3 py-1.5 text-left text-xs font-medium text-muted";
const CELL = "px-3 py-2 tabular-nums max-sm:py-1";

/** Bad runs, cost and time on both sides, how much each changed with its 95 % interval, and ways to the runs. */
export function MeasuresTable({ comparison }: { comparison: ReleaseComparison }) {
  const { agent, base, current, measures } = comparison;
  return (
    <table className="w-full border-collapse max-sm:block">
      <thead className="border-b border-line max-sm:sr-only">
        <tr>
          <th scope="col" className={HEAD}>
            Measure
          </th>
          <th scope="col" className={HEAD}>
            {base.release ?? "Before"}
          </th>
          <th scope="col" className={HEAD}>
            {current.release ?? "Now"}
          </th>
          <th scope="col" className={`${HEAD} w-2/5`}>
            Change, 95 % interval
          </th>
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {measures.map((measure) => (
          <tr
            key={measure.name}
            className="border-b border-line/60 last:border-0 max-sm:grid max-sm:grid-cols-2 max-sm:py-2"
          >
            <th scope="row" className={`${CELL} text-left font-medium max-sm:col-span-2`}>
              <span className="flex items-center gap-2">
                <VerdictIcon verdict={measure.verdict} />
                {NAMES[measure.name]}
              </span>
            </th>
            <Side agent={agent} measure={measure} side={base} value={measure.base} label="Before" />
            <Side agent={agent} measure={measure} side={current} value={measure.current} label="Now" />
            <td className={`${CELL} max-sm:col-span-2`}>
              <Change measure={measure} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Side({
  agent,
  measure: { name },
  side,
  value,
  label,
}: {
  agent: string;
  measure: ReleaseMeasure;
  side: ComparedSide;
  value: Interval | null;
  label: string;
}) {
  if (value === null) return <td className={`${CELL} text-muted`}>—</td>;
  const text = writeValue(name, value.value);
  const what = `${NAMES[name]} of ${side.release ?? label.toLowerCase()}: ${text}`;
  return (
    <td className={CELL} title={`${writeValue(name, value.low)} to ${writeValue(name, value.high)}`}>
      <span className="pr-2 text-xs text-muted sm:hidden">{side.release ?? label}</span>
      <Link
        to={paths.traces}
        search={omitEmpty({ ...sideTraces(agent, side), ...SHOWN_BY[name] })}
        aria-label={what}
        className="text-accent underline"
      >
        {text}
      </Link>
      {name === "bad" && (
        <span className="block text-xs text-muted">
          {side.badRuns.toLocaleString("en")} of {side.judgedRuns.toLocaleString("en")} runs
          {side.abandonedRuns > 0 && `, ${side.abandonedRuns.toLocaleString("en")} never ended`}
        </span>
      )}
    </td>
  );
}

function Change({ measure: { name, change, p, verdict, untested } }: { measure: ReleaseMeasure }) {
  if (change === null || verdict === "untested")
    return <span className="text-muted">{untested === null ? "—" : UNTESTED[untested]}</span>;
  // Factors are drawn by their logarithms: half as much is as far from the middle as twice as much.
  const drawn = name === "bad" ? (value: number) => 100 * value : Math.log2;
  const [value, low, high] = [drawn(change.value), drawn(change.low), drawn(change.high)];
  const unit = name === "bad" ? " points" : "";
  const words = `${writeChange(name, change.value)}${unit} (${writeChange(name, change.low)} to ${writeChange(name, change.high)})`;
  const scale = linearScale(name === "bad" ? [low, high, 10, -10] : [low, high, 1, -1]);
  return (
    <span className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-center gap-3 max-lg:grid-cols-[minmax(0,1fr)]">
      <IntervalMark
        value={value}
        low={low}
        high={high}
        scale={scale}
        comparedWith={verdict === "alike" ? undefined : 0}
        label={`${words}, ${verdictLabel(verdict).toLowerCase()}`}
      />
      <span className="text-xs">
        <span className="whitespace-nowrap">{words}</span>
        {verdict === "alike" && (low > 0 || high < 0) && (
          <span className="block text-muted">{p !== null && p < 0.05 ? TOO_SMALL : MAYBE_CHANCE}</span>
        )}
      </span>
    </span>
  );
}

/** Why a change whose interval is on one side is called alike. */
const TOO_SMALL = "too small to count";
const MAYBE_CHANCE = "may be chance, with all measures tested together";

const UNTESTED: Record<NonNullable<ReleaseMeasure["untested"]>, string> = {
  "one-side": "Not known on both sides",
  "few-decisions": "Fewer than 20 runs on a side",
  "few-sessions": "Fewer than 10 sessions on a side",
  "one-option": "Nothing to compare",
};

const writeValue = (name: ReleaseMeasure["name"], value: number) =>
  name === "bad" ? formatPercent(value) : name === "cost" ? formatCost(value) : formatDuration(value);

function writeChange(name: ReleaseMeasure["name"], value: number): string {
  if (name !== "bad") return `× ${value.toFixed(value < 10 ? 2 : 0)}`;
  const points = Math.round(1_000 * value) / 10;
  return `${points > 0 ? "+" : points < 0 ? "−" : ""}${Math.abs(points)}`;
}
