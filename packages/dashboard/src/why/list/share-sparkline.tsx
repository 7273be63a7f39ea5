import type { Release, RowDrift } from "@whytrace/contract";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { dayIndex } from "../day-index.ts";
import { DriftIcon } from "../drift-icon.tsx";
import { rollingMean } from "../rolling-mean.ts";

interface ShareSparklineProps {
  /** The option whose share is drawn. */
  name: string;
  /** The option whose share drifts, if it is another one. */
  driftingName?: string | undefined;
  shares: readonly (number | null)[];
  /** Of all days together. */
  share: number;
  drift: RowDrift | null;
  releases: readonly Release[];
  firstDay: string;
}

const HEIGHT = 24;

/** The share of an option by day, as a line with the day of a release, and in words whether it drifts. */
export function ShareSparkline({
  name,
  driftingName,
  shares,
  share,
  drift,
  releases,
  firstDay,
}: ShareSparklineProps) {
  const means = rollingMean(shares);
  const width = Math.max(1, shares.length - 1);
  const points = means.flatMap((mean, index) =>
    mean === null ? [] : [`${index},${(HEIGHT - 1 - mean * (HEIGHT - 2)).toFixed(2)}`],
  );
  const lineAt = dayIndex(drift?.since ?? releases.at(-1)?.name, releases, firstDay);
  const tint = drift ? "text-retry" : "text-muted";
  return (
    <span className="flex items-center gap-2">
      <svg
        role="img"
        aria-label={`Share of ${name} by day`}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={`h-7 w-21 shrink-0 overflow-visible max-xl:w-auto max-xl:min-w-0 max-xl:flex-1 ${tint}`}
      >
        {points.length > 1 && (
          <polygon
            points={`${points[0]?.split(",")[0]},${HEIGHT} ${points.join(" ")} ${points.at(-1)?.split(",")[0]},${HEIGHT}`}
            className="fill-current opacity-15"
          />
        )}
        {lineAt !== undefined && lineAt > 0 && lineAt <= width && (
          <line
            x1={lineAt}
            x2={lineAt}
            y1="0"
            y2={HEIGHT}
            strokeDasharray="2 2"
            vectorEffect="non-scaling-stroke"
            className="stroke-control"
          />
        )}
        <polyline
          points={points.length === 1 ? `${points[0]} ${points[0]}` : points.join(" ")}
          fill="none"
          strokeWidth={points.length === 1 ? 4 : 1.5}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
          className="stroke-current"
        />
      </svg>
      {drift ? (
        <span className="text-xs">
          <span className="flex items-center gap-1 whitespace-nowrap font-semibold text-retry">
            <DriftIcon isUp={drift.after > drift.before} />
            {Math.round(drift.before * 100)} → {formatPercent(drift.after)}
          </span>
          <span className="block max-w-27 truncate text-muted">
            {driftingName ? `${driftingName}, ` : ""}since {drift.since}
          </span>
        </span>
      ) : (
        <span className="text-xs text-muted">{formatPercent(share)}</span>
      )}
    </span>
  );
}
