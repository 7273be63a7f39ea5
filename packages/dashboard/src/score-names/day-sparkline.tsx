import type { NamedSummary } from "./counted-runs.ts";
import { daysBetween } from "./days-between.ts";

const HEIGHT = 22;

interface DaySparklineProps {
  row: NamedSummary;
  from: string;
  to: string;
}

/** How a name went by day: the share of bad runs, or the mean of numbers. */
export function DaySparkline({ row, from, to }: DaySparklineProps) {
  const isShare = row.said > 0;
  const days = daysBetween(from, to);
  const byDay = new Map(row.days.map((day) => [day.day, isShare ? day.bad / day.runs : day.mean]));
  const values = [...byDay.values()].filter((value) => value !== null);
  const low = isShare ? 0 : Math.min(...values);
  const high = isShare ? 1 : Math.max(...values);
  const points = days.flatMap((day, index) => {
    const value = byDay.get(day);
    if (value === undefined || value === null) return [];
    const share = high === low ? 0.5 : (value - low) / (high - low);
    return [`${index},${(HEIGHT - 1 - share * (HEIGHT - 2)).toFixed(2)}`];
  });
  if (points.length === 0) return null;
  return (
    <svg
      role="img"
      aria-label={isShare ? `Share of bad runs of ${row.name} by day` : `Mean of ${row.name} by day`}
      viewBox={`0 0 ${Math.max(1, days.length - 1)} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={`h-5.5 w-24 overflow-visible ${isShare && row.bad > 0 ? "text-error" : "text-muted"}`}
    >
      <polyline
        points={points.length === 1 ? `${points[0]} ${points[0]}` : points.join(" ")}
        fill="none"
        strokeWidth={points.length === 1 ? 4 : 1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
        className="stroke-current"
      />
    </svg>
  );
}
