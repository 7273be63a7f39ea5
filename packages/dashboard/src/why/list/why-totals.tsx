import type { WhyList } from "@whytrace/contract";
import { TraceCount } from "../../traces/trace-count.tsx";
import { formatCost, formatExact } from "../../ui/format/format.ts";
import { formatPercent } from "../../ui/format/format-percent.ts";
import type { CountedSearch } from "../counted-search.ts";
import { countedTraces } from "../counted-traces.ts";
import { formatDays } from "../format-days.ts";

/** How many runs there are, how many of them are bad, and what those that decided something cost. */
export function WhyTotals({ list, search }: { list: WhyList | undefined; search: CountedSearch }) {
  if (!list || list.runs === 0) return null;
  const { failure, runsWithoutDecisions } = list;
  const all = list.runs + runsWithoutDecisions;
  const failed = `${formatExact(failure.failed)} bad`;
  const runs = `${formatExact(all)} ${all === 1 ? "run" : "runs"}`;
  const counted = countedTraces(list, search);
  // The list of traces finds an agent and a release by decisions.
  const isNamed = list.agent !== null || search.release !== undefined;
  const hasLinks = !isNamed || runsWithoutDecisions === 0;
  return (
    <p aria-live="polite" className="text-muted tabular-nums">
      {hasLinks ? <TraceCount traces={counted}>{runs}</TraceCount> : runs} ·{" "}
      {hasLinks && failure.failed > 0 ? (
        <TraceCount
          traces={{ ...counted, outcome: "bad" }}
          className="text-error underline decoration-dotted underline-offset-2 hover:decoration-solid"
        >
          {failed}
        </TraceCount>
      ) : (
        <span className={failure.failed > 0 ? "text-error" : ""}>{failed}</span>
      )}{" "}
      <span title={`Of ${formatExact(failure.judged)} that ended and are good or bad`}>
        ({failure.judged === 0 ? "—" : formatPercent(failure.failed / failure.judged)})
      </span>{" "}
      · {formatCost(list.costUsd)}
      <span className="max-sm:hidden"> · {formatExact(list.decisions)} decisions</span>
      <span className="max-xl:hidden"> · {formatDays(list)}</span>
    </p>
  );
}
