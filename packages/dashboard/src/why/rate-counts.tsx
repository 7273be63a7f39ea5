import type { OptionStat } from "@whytrace/contract";
import type { CountedTraces } from "../traces/trace-count.tsx";
import { formatPercent } from "../ui/format/format-percent.ts";
import { DecisionCount } from "./decision-count.tsx";

interface RateCountsProps {
  option: Pick<OptionStat, "step" | "name" | "rate">;
  counted: CountedTraces;
  className?: string;
}

/** `43 % of 286`: the share links to the failed traces, the number to all traces that chose the option. */
export function RateCounts({ option: { step, name, rate }, counted, className = "" }: RateCountsProps) {
  const traces = { ...counted, step, about: name };
  return (
    <span className={`whitespace-nowrap tabular-nums ${className}`}>
      <DecisionCount
        decisions={rate.failed}
        runs={rate.failedRuns}
        traces={{ ...traces, stepOutcome: "failed" }}
        what="failed"
        className="relative z-1 font-semibold hover:underline"
      >
        {formatPercent(rate.decisions === 0 ? 0 : rate.failed / rate.decisions)}
      </DecisionCount>{" "}
      <span className="text-muted">
        of <DecisionCount decisions={rate.decisions} runs={rate.runs} traces={traces} />
      </span>
    </span>
  );
}
