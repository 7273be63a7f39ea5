import type { IntervalScale } from "./interval-scale.ts";

interface IntervalAxisProps {
  scale: IntervalScale;
  format: (value: number) => string;
  /** Keeps the outer labels inside the plot, where it reaches to the edge of the screen. */
  isFlush?: boolean;
}

/** In a narrow plot, labels between the outer ones would touch them. */
const INNER = "@max-[8rem]:hidden";

/** The labels of a plot's ticks. Hidden from screen readers: each mark says its values. */
export function IntervalAxis({ scale, format, isFlush = false }: IntervalAxisProps) {
  return (
    <span aria-hidden="true" className="@container relative block h-4 text-xs font-normal text-muted">
      {scale.ticks.map((tick, index) => {
        const isInner = index > 0 && index < scale.ticks.length - 1;
        const position = scale.position(tick);
        const shift =
          isFlush && position < 0.02
            ? ""
            : isFlush && position > 0.98
              ? "-translate-x-full"
              : "-translate-x-1/2";
        return (
          <span
            key={tick}
            className={`absolute whitespace-nowrap ${shift} ${isInner ? INNER : ""}`}
            style={{ left: `${position * 100}%` }}
          >
            {format(tick)}
          </span>
        );
      })}
    </span>
  );
}
