import type { Scorecard } from "@whytrace/contract";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { Panel } from "../../ui/panel.tsx";
import { dayIndex } from "../day-index.ts";
import { DriftIcon } from "../drift-icon.tsx";
import { formatDay } from "../format-days.ts";
import { isStrongTint, optionTint } from "./option-tint.ts";
import { type StackedDay, stackShares } from "./stack-shares.ts";

const MAX_DATES = 5;
/** The part of the height that a label needs. */
const MIN_LABEL_SHARE = 0.14;
/** Labels of releases nearer to each other would overlap. */
const MIN_LABEL_DISTANCE = 0.1;

/** The shares of the options over time, with releases, and below them how many decisions each day had. */
export function ChoicesByDay({ card }: { card: Scorecard }) {
  const { days, options, releases, drift, from } = card;
  const drifting = options.find(({ step }) => step === drift?.step);
  return (
    <Panel
      title="Choices by day"
      note="share, 3-day mean"
      legend={
        drift && (
          <span className="flex items-center gap-1.5">
            <span className="flex items-center gap-1 font-semibold text-retry">
              <DriftIcon isUp={drift.after > drift.before} />
              Drift at {formatSince(drift.since)}
            </span>
            p {drift.p < 0.001 ? "< 0.001" : `= ${drift.p.toFixed(3)}`}
          </span>
        )
      }
    >
      <Chart card={card} />
      <p className="px-3 pb-2.5 pt-1 text-xs">
        {drift && drifting ? (
          <>
            <b className="font-semibold">Since {formatSince(drift.since)}:</b> {drifting.name}{" "}
            {Math.round(drift.before * 100)} → {formatPercent(drift.after)}
          </>
        ) : (
          <span className="text-muted">
            {releases.length > 1 || days.length > 1 ? "The shares did not change more than by chance." : ""}
          </span>
        )}
        <span className="sr-only"> Counted from {formatDay(from)}.</span>
      </p>
    </Panel>
  );
}

/** A release keeps its name; a day becomes readable. */
const formatSince = (since: string) => (/^\d{4}-\d\d-\d\d/.test(since) ? formatDay(since) : since);

function Chart({ card }: { card: Scorecard }) {
  const { days, options } = card;
  const stacked = stackShares(days);
  const totals = days.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0));
  const maxTotal = Math.max(1, ...totals);
  const width = Math.max(1, days.length - 1);
  const lines = releaseLines(card, width);
  const dateInterval = Math.max(1, Math.ceil(days.length / MAX_DATES));
  return (
    <div className="grid grid-cols-[2.25rem_minmax(0,1fr)] gap-x-1.5 gap-y-1 px-3 pt-6 text-xs text-muted">
      <span aria-hidden="true" className="flex flex-col justify-between text-right leading-none">
        <span className="whitespace-nowrap">100 %</span>
        <span>50</span>
        <span>0</span>
      </span>
      <div className="relative h-35">
        <svg
          role="img"
          aria-label={describe(days, options)}
          viewBox={`0 0 ${width} 1`}
          preserveAspectRatio="none"
          className="size-full rounded-[3px]"
        >
          {options.map(({ step }, index) => (
            <polygon
              key={step}
              points={areaPoints(stacked, index)}
              style={{ fill: optionTint(index) }}
              strokeWidth="1"
              vectorEffect="non-scaling-stroke"
              className="stroke-bg"
            />
          ))}
        </svg>
        {options.map(({ step, name }, index) => (
          <AreaLabel key={step} name={name} index={index} stacked={stacked} />
        ))}
        {lines.map(({ name, share, hasLabel }) => (
          <span
            key={name}
            className="absolute -bottom-7 -top-1 border-l-[1.5px] border-dashed border-text"
            style={{ left: `${share * 100}%` }}
          >
            {hasLabel && (
              <span className="absolute -top-4 -translate-x-1/2 whitespace-nowrap font-medium leading-none">
                {name}
              </span>
            )}
          </span>
        ))}
      </div>
      <span aria-hidden="true" className="text-right leading-none">
        {maxTotal}
      </span>
      <div aria-hidden="true" className="flex h-6 items-end gap-0.5">
        {days.map(({ day }, index) => (
          <span
            key={day}
            title={`${formatDay(day)}: ${totals[index]}`}
            className="flex-1 rounded-t-[1px] bg-control/70"
            style={{ height: `${((totals[index] ?? 0) / maxTotal) * 100}%` }}
          />
        ))}
      </div>
      <span />
      <div aria-hidden="true" className="relative h-4.5">
        {days.map(
          ({ day }, index) =>
            index % dateInterval === 0 && (
              <span
                key={day}
                className={`absolute whitespace-nowrap max-[24rem]:even:hidden ${index === 0 ? "" : "-translate-x-1/2"}`}
                style={{ left: `${((index + 0.5) / days.length) * 100}%` }}
              >
                {formatDay(day)}
              </span>
            ),
        )}
      </div>
    </div>
  );
}

/** Where releases of this decision's runs began. A label that would cover the one before it is left out. */
function releaseLines({ releases, strata, from }: Scorecard, width: number) {
  const own = new Set(strata.release.map(({ name }) => name));
  let lastLabel = Number.NEGATIVE_INFINITY;
  return releases.flatMap(({ name }) => {
    const index = dayIndex(name, releases, from);
    if (!own.has(name) || index === undefined || index <= 0 || index > width) return [];
    const share = index / width;
    const hasLabel = share - lastLabel >= MIN_LABEL_DISTANCE;
    if (hasLabel) lastLabel = share;
    return [{ name, share, hasLabel }];
  });
}

/** Along the upper edge, and back along the lower one. The only day of a range is drawn as wide as the chart. */
function areaPoints(stacked: readonly StackedDay[], option: number): string {
  const days = stacked.length === 1 ? [...stacked, ...stacked] : stacked;
  const edge = (index: number) => days.map((day, x) => `${x},${1 - (index < 0 ? 0 : (day[index] ?? 0))}`);
  return [...edge(option), ...edge(option - 1).reverse()].join(" ");
}

/** The option's name inside its area, where that is high enough, as far left as possible. */
function AreaLabel({
  name,
  index,
  stacked,
}: {
  name: string;
  index: number;
  stacked: readonly StackedDay[];
}) {
  const edges = (day: StackedDay) => [index === 0 ? 0 : (day[index - 1] ?? 0), day[index] ?? 0] as const;
  const reach = Math.max(1, Math.ceil(stacked.length / 4));
  const at = stacked.findIndex((_, start) =>
    stacked.slice(start, start + reach).every((day) => {
      const [bottom, top] = edges(day);
      return top - bottom >= MIN_LABEL_SHARE;
    }),
  );
  const day = stacked[at];
  if (!day || at > stacked.length * 0.7) return null;
  const [bottom, top] = edges(day);
  return (
    <span
      aria-hidden="true"
      className={`pointer-events-none absolute max-w-1/3 -translate-y-1/2 truncate px-2 font-semibold ${isStrongTint(index) ? "text-bg" : "text-text"}`}
      style={{
        left: `${(at / Math.max(1, stacked.length - 1)) * 100}%`,
        top: `${(1 - (bottom + top) / 2) * 100}%`,
      }}
    >
      {name}
    </span>
  );
}

/** Shares of the first and the second half, for those who do not see the chart. */
function describe(days: Scorecard["days"], options: Scorecard["options"]): string {
  const middle = Math.ceil(days.length / 2);
  const shares = (part: Scorecard["days"], option: number) => {
    const total = part.reduce((sum, { counts }) => sum + counts.reduce((all, count) => all + count, 0), 0);
    const chosen = part.reduce((sum, { counts }) => sum + (counts[option] ?? 0), 0);
    return total === 0 ? "not decided" : formatPercent(chosen / total);
  };
  const parts = options.map(
    ({ name }, index) =>
      `${name} ${shares(days.slice(0, middle), index)}, then ${shares(days.slice(middle), index)}`,
  );
  return `Shares in the first and the second half of the time range: ${parts.join("; ")}`;
}
