import type { IntervalScale } from "./interval-scale.ts";
import { type IntervalTone, intervalTone } from "./interval-tone.ts";

interface IntervalMarkProps {
  value: number;
  low: number;
  high: number;
  scale: IntervalScale;
  /** Says in words what the mark shows, for example "43 %, 37 to 49 %". */
  label: string;
  /** The value that the interval is compared with. Without one the mark is grey. */
  comparedWith?: number | undefined;
  /** Fewer than 20 were counted: the mark is hollow and dashed, and not compared. */
  isFew?: boolean;
  /** Draws a dashed line at this value, for orientation. */
  lineAt?: number | undefined;
  /** The height of the plot, so that the lines of rows below each other join. */
  className?: string;
}

const TINTS: Record<IntervalTone, string> = {
  worse: "[--tint:var(--color-error)]",
  better: "[--tint:var(--color-completed)]",
  unclear: "[--tint:var(--color-muted)]",
};

const percent = (share: number) => `${share * 100}%`;

/**
 * A dot with its 95 % interval as a whisker. Red lies wholly above what it is compared with, green wholly below, grey cannot
 * be told apart.
 */
export function IntervalMark({
  value,
  low,
  high,
  scale,
  label,
  comparedWith,
  isFew = false,
  lineAt,
  className = "h-4",
}: IntervalMarkProps) {
  const tone = isFew ? "unclear" : intervalTone({ low, high }, comparedWith);
  const from = scale.position(low);
  const to = scale.position(high);
  const whisker = isFew
    ? "bg-[repeating-linear-gradient(90deg,var(--tint)_0_4px,transparent_4px_7px)]"
    : "bg-[var(--tint)]";
  return (
    <div
      role="img"
      aria-label={label}
      title={label}
      data-tone={isFew ? "few" : tone}
      className={`relative min-w-0 ${TINTS[tone]} ${className}`}
    >
      {scale.ticks.map((tick) => (
        <span
          key={tick}
          className={`absolute inset-y-0 w-px ${tick === 0 && scale.position(0) > 0 ? "bg-control" : "bg-line"}`}
          style={{ left: percent(scale.position(tick)) }}
        />
      ))}
      {lineAt !== undefined && (
        <span
          className="absolute inset-y-0 border-l-[1.5px] border-dashed border-muted"
          style={{ left: percent(scale.position(lineAt)) }}
        />
      )}
      <span
        className={`absolute top-1/2 h-0.5 -translate-y-1/2 rounded-[1px] before:absolute before:-top-[3px] before:left-0 before:h-2 before:w-0.5 before:rounded-[1px] before:bg-[var(--tint)] after:absolute after:-top-[3px] after:right-0 after:h-2 after:w-0.5 after:rounded-[1px] after:bg-[var(--tint)] ${whisker}`}
        style={{ left: percent(from), width: percent(to - from) }}
      />
      <span
        className={`absolute top-1/2 size-2.5 -translate-1/2 rounded-full border-2 border-[var(--tint)] shadow-[0_0_0_1.5px_var(--color-bg)] ${isFew ? "bg-bg" : "bg-[var(--tint)]"}`}
        style={{ left: percent(scale.position(value)) }}
      />
    </div>
  );
}
