import type { Quantiles } from "@whytrace/contract";
import type { IntervalScale } from "./interval-scale.ts";

interface QuantileMarkProps {
  quantiles: Quantiles;
  scale: IntervalScale;
  label: string;
  className?: string;
}

const percent = (share: number) => `${share * 100}%`;

/** How values are distributed: a box for the middle half, a line for nine tenths, a bar at the median. */
export function QuantileMark({ quantiles, scale, label, className = "h-4" }: QuantileMarkProps) {
  const at = (value: number) => scale.position(value);
  const between = (from: number, to: number) => ({
    left: percent(at(from)),
    width: percent(at(to) - at(from)),
  });
  const { p5, p25, p50, p75, p95 } = quantiles;
  return (
    <div role="img" aria-label={label} title={label} className={`relative min-w-0 ${className}`}>
      {scale.ticks.map((tick) => (
        <span key={tick} className="absolute inset-y-0 w-px bg-line" style={{ left: percent(at(tick)) }} />
      ))}
      <span className="absolute top-1/2 h-0.5 -translate-y-1/2 bg-control" style={between(p5, p95)} />
      <span
        className="absolute top-1/2 h-3.5 min-w-1 -translate-y-1/2 rounded-[2px] border-[1.5px] border-control bg-sunken"
        style={between(p25, p75)}
      />
      <span
        className="absolute top-1/2 h-4.5 w-[3px] -translate-1/2 rounded-[1px] bg-text"
        style={{ left: percent(at(p50)) }}
      />
    </div>
  );
}
