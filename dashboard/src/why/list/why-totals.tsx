import type { WhyList } from "@whytrace/contract";
import { TraceCount } from "../../traces/trace-count.tsx";
import { formatCost, formatExact } from "../../ui/format/format.ts";
import { formatPercent } from "../../ui/format/format-percent.ts";
import type { CountedSearch } from "../counted-search.ts";
import { countedTraces } from "../counted-traces.ts";
import { formatDays } from "../format-days.ts";

/** How many runs were counted, how many of them failed, and what they cost. */
export function WhyTotals({ list, search }: { list: WhyList | undefined; search: CountedSearch }) {
  if (!list || list.runs === 0) return null;
  const counted = countedTraces(list, search);
  const failed = `${formatExact(list.failedRuns)} failed`;
  const runs = `${formatExact(list.runs)} ${list.runs === 1 ? "run" : "runs"}`;
  // The list of traces has a filter for one agent or release, but none for "any agent that decided something".
  const hasLinks = list.agent !== null || search.release !== undefined;
  return (
    <p aria-live="polite" className="text-muted tabular-nums">
      {hasLinks ? <TraceCount traces={counted}>{runs}</TraceCount> : runs} ·{" "}
      {hasLinks && list.failedRuns > 0 ? (
        <TraceCount traces={{ ...counted, status: "ERROR" }} className="text-error hover:underline">
          {failed}
        </TraceCount>
      ) : (
        <span className={list.failedRuns > 0 ? "text-error" : ""}>{failed}</span>
      )}{" "}
      ({formatPercent(list.failedRuns / list.runs)}) · {formatCost(list.costUsd)}
      <span className="max-sm:hidden"> · {formatExact(list.decisions)} decisions</span>
      <span className="max-xl:hidden"> · {formatDays(list)}</span>
    </p>
  );
}
