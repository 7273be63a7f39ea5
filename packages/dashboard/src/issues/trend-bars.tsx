import type { Issue } from "@whytrace/contract";

interface TrendBarsProps {
  issue: Pick<Issue, "trend" | "state" | "number">;
  className: string;
}

const HEIGHT = 28;
const STEP = 4;
const TINTS: Partial<Record<Issue["state"], string>> = { regressed: "text-error", new: "text-running" };

/** Runs of an issue by day, with a mark where a release of the agent was first seen. */
export function TrendBars({ issue: { trend, state, number }, className }: TrendBarsProps) {
  const most = Math.max(1, ...trend.map(({ runs }) => runs));
  const marked = trend.flatMap(({ day, release }, index) =>
    release === null ? [] : { day, release, index },
  );
  const total = trend.reduce((sum, { runs }) => sum + runs, 0);
  return (
    <svg
      role="img"
      aria-label={`Runs of #${number} by day: ${total} in ${trend.length} days, at most ${Math.max(0, ...trend.map(({ runs }) => runs))}`}
      viewBox={`0 0 ${Math.max(1, trend.length) * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={`${TINTS[state] ?? "text-control"} ${className}`}
    >
      {marked.map(({ day, release, index }) => (
        <line
          key={day}
          x1={index * STEP + STEP / 2}
          x2={index * STEP + STEP / 2}
          y1={0}
          y2={HEIGHT}
          strokeDasharray="2 2"
          vectorEffect="non-scaling-stroke"
          className="stroke-muted"
        >
          <title>{`${release} first ran on ${day}`}</title>
        </line>
      ))}
      {trend.map(({ day, runs }, index) => {
        const height = runs === 0 ? 1 : Math.max(2, (runs / most) * (HEIGHT - 1));
        return (
          <rect
            key={day}
            x={index * STEP + 0.4}
            y={HEIGHT - height}
            width={STEP - 0.8}
            height={height}
            className={runs === 0 ? "fill-line" : "fill-current"}
          />
        );
      })}
    </svg>
  );
}
