import { axisTicks } from "../../ui/intervals/axis-ticks.ts";
import type { RuleKind, RulePreview } from "../model/alert-types.ts";
import { ruleValue } from "../model/rule-words.ts";

interface PreviewChartProps {
  kind: RuleKind;
  preview: RulePreview;
}

const WIDTH = 600;
const HEIGHT = 180;

/** The figure over time: the line, what is usual as a dashed line, and red where the rule would have fired. */
export function PreviewChart({ kind, preview: { from, to, points, firings, baseline } }: PreviewChartProps) {
  const start = Date.parse(from);
  const length = Math.max(1, Date.parse(to) - start);
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length === 0) return <p className="text-muted">There was no run in this time.</p>;
  const ticks = axisTicks(Math.max(...values, baseline?.rate ?? 0), { maxSteps: 4 });
  const top = ticks.at(-1) || 1;
  const x = (instant: string) => ((Date.parse(instant) - start) / length) * WIDTH;
  const y = (value: number) => HEIGHT - (Math.max(0, Math.min(top, value)) / top) * HEIGHT;
  return (
    <figure className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-muted">
      <div aria-hidden="true" className="relative h-45 w-12">
        {ticks.map((tick) => (
          <span
            key={tick}
            className="absolute right-0 -translate-y-1/2 whitespace-nowrap"
            style={{ top: `${(y(tick) / HEIGHT) * 100}%` }}
          >
            {ruleValue(kind, tick)}
          </span>
        ))}
      </div>
      <svg
        role="img"
        aria-label={`The figure over time, at most ${ruleValue(kind, Math.max(...values))}; fired ${firings.length} times`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-45 w-full overflow-visible"
      >
        {ticks.map((tick) => (
          <line
            key={tick}
            x1={0}
            x2={WIDTH}
            y1={y(tick)}
            y2={y(tick)}
            vectorEffect="non-scaling-stroke"
            className="stroke-line"
          />
        ))}
        {firings.map((firing) => (
          <rect
            key={firing.from}
            x={x(firing.from)}
            y={0}
            width={Math.max(2, x(firing.to ?? to) - x(firing.from))}
            height={HEIGHT}
            className="fill-error/20"
          />
        ))}
        {baseline && (
          <line
            x1={0}
            x2={WIDTH}
            y1={y(baseline.rate)}
            y2={y(baseline.rate)}
            strokeDasharray="4 3"
            vectorEffect="non-scaling-stroke"
            className="stroke-accent"
          />
        )}
        {segments(points).map((segment) => (
          <polyline
            key={segment[0]?.at}
            points={segment.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ")}
            fill="none"
            strokeWidth={1.5}
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
            className="stroke-text"
          />
        ))}
      </svg>
      <span />
      <figcaption className="mt-1 flex justify-between">
        <span>{dayOf(from)}</span>
        <span>{dayOf(to)}</span>
      </figcaption>
    </figure>
  );
}

interface KnownPoint {
  at: string;
  value: number;
}

/** Lines without gaps: where too few runs came, there is no line. */
function segments(points: RulePreview["points"]): KnownPoint[][] {
  const all: KnownPoint[][] = [];
  let current: KnownPoint[] | undefined;
  for (const { at, value } of points) {
    if (value === null) {
      current = undefined;
      continue;
    }
    if (!current) {
      current = [];
      all.push(current);
    }
    current.push({ at, value });
  }
  return all;
}

const dayOf = (instant: string) =>
  new Date(instant).toLocaleDateString("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });
