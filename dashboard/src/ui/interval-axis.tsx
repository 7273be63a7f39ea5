import type { IntervalScale } from "./interval-scale.ts";

interface IntervalAxisProps {
  scale: IntervalScale;
  format: (value: number) => string;
}

/** The labels of a plot's ticks. Hidden from screen readers: each mark says its values. */
export function IntervalAxis({ scale, format }: IntervalAxisProps) {
  return (
    <span aria-hidden="true" className="relative block h-4 text-xs font-normal text-muted">
      {scale.ticks.map((tick) => (
        <span
          key={tick}
          className="absolute -translate-x-1/2 whitespace-nowrap"
          style={{ left: `${scale.position(tick) * 100}%` }}
        >
          {format(tick)}
        </span>
      ))}
    </span>
  );
}
