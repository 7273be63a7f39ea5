import type { Issue } from "@whytrace/contract";
import { formatPercent } from "../ui/format/format-percent.ts";
import { IntervalMark } from "../ui/intervals/interval-mark.tsx";
import type { IntervalScale } from "../ui/intervals/interval-scale.ts";

interface ShareMarkProps {
  share: Issue["share"];
  scale: IntervalScale;
}

/** How many of the agent's runs an issue has: a dot with its interval, and the figures below. */
export function ShareMark({ share, scale }: ShareMarkProps) {
  if (!share) return <span className="text-muted">—</span>;
  const { value, low, high, of } = share;
  return (
    <span className="grid min-w-0 gap-0.5">
      <IntervalMark
        {...{ value, low, high, scale }}
        label={`${formatPercent(value)} of ${of.toLocaleString("en")} runs, ${formatPercent(low)} to ${formatPercent(high)}`}
      />
      <span aria-hidden="true" className="flex justify-between gap-2 text-xs">
        <b className="whitespace-nowrap font-semibold">{formatPercent(value)}</b>
        <span className="whitespace-nowrap text-muted">
          {formatPercent(low).replace(" %", "")} to {formatPercent(high).replace(" %", "")}
        </span>
      </span>
    </span>
  );
}
