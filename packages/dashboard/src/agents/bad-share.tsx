import type { Interval } from "@whytrace/contract";
import { formatPercent } from "../ui/format/format-percent.ts";
import { IntervalMark } from "../ui/intervals/interval-mark.tsx";
import type { IntervalScale } from "../ui/intervals/interval-scale.ts";

/** The share of bad runs with its interval, on the scale of the list. */
export function BadShare({ share, scale }: { share: Interval | null; scale: IntervalScale }) {
  if (share === null) return <span className="text-muted">—</span>;
  const label = `${formatPercent(share.value)} of runs are bad, ${formatPercent(share.low)} to ${formatPercent(share.high)}`;
  return (
    <span className="grid grid-cols-[3rem_minmax(0,1fr)] items-center gap-2">
      <span className="text-right tabular-nums">{formatPercent(share.value)}</span>
      <IntervalMark {...share} scale={scale} label={label} />
    </span>
  );
}
