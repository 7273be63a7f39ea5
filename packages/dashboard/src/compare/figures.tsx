import type { Comparison } from "@whytrace/contract";
import { FIGURES } from "./model/compared-figures.ts";
import { formatDifference } from "./model/format-difference.ts";

/** The totals of both runs and their differences. */
export function Figures({ comparison: { a, b } }: { comparison: Comparison }) {
  return (
    <dl className="grid grid-cols-6 border-y border-line bg-panel max-lg:grid-cols-3 max-sm:grid-cols-2">
      {FIGURES.map(({ label, select, format, isBad = false }) => {
        const [before, after] = [select(a), select(b)];
        const difference = formatDifference(before, after, format);
        const tone =
          isBad && difference
            ? (after ?? 0) > (before ?? 0)
              ? "font-semibold text-error"
              : "font-semibold text-completed"
            : "text-muted";
        return (
          <div
            key={label}
            className="min-w-0 border-line px-3 py-1.5 not-first:border-l first:pl-4 last:pr-4 sm:max-lg:nth-[3n+1]:border-l-0 sm:max-lg:nth-[3n+1]:pl-4 max-sm:odd:border-l-0 max-sm:odd:pl-4"
          >
            <dt className="flex justify-between gap-2 text-xs text-muted">
              {label}
              <span className={`whitespace-nowrap tabular-nums ${tone}`}>{difference}</span>
            </dt>
            <dd className="flex flex-wrap items-baseline gap-x-1.5 tabular-nums">
              <span>
                <span className="sr-only">A: </span>
                {format(before)}
              </span>
              <span aria-hidden="true" className="text-muted">
                →
              </span>
              <span className="font-semibold">
                <span className="sr-only">B: </span>
                {format(after)}
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
