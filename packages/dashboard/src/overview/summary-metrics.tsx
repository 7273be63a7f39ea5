import { Link } from "@tanstack/react-router";
import type { TraceStats } from "@whytrace/contract";
import { paths } from "../paths.ts";
import type { TracesSearch } from "../traces/filters/traces-search.ts";
import { formatCost, formatCount, formatDuration, formatExact } from "../ui/format/format.ts";
import { formatPercent } from "../ui/format/format-percent.ts";
import { type Change, failureRate, metricChanges, traceCount } from "./metric-changes.ts";

const percent = (share: number | null) => (share === null ? "—" : formatPercent(share));

/** Five metrics of the time range, each compared with the previous range of the same length. */
export function SummaryMetrics({ stats: { total, before, from, to } }: { stats: TraceStats }) {
  const started = { startedFrom: from, startedTo: to };
  const all = traceCount(total);
  const changes = metricChanges(total, before);
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line md:grid-cols-5">
      <Metric
        label="Traces"
        value={formatCount(all)}
        title={formatExact(all)}
        change={changes.traces}
        search={started}
      />
      <Metric
        label="Failure rate"
        value={percent(failureRate(total))}
        title={`${formatExact(total.outcomes.bad)} of ${formatExact(total.outcomes.good + total.outcomes.bad)} traces that ended and are good or bad`}
        change={changes.failureRate}
        isHigherWorse
        search={{ ...started, outcome: "bad" }}
      />
      <Metric
        label="Cost"
        value={formatCost(total.costUsd)}
        title={total.costUsd === null ? undefined : `$${total.costUsd}`}
        change={changes.costUsd}
        search={{ ...started, sort: "costliest" }}
      />
      <Metric
        label="Tokens"
        value={formatCount(total.tokens)}
        title={formatExact(total.tokens)}
        change={changes.tokens}
        search={started}
      />
      <Metric
        label="Duration (p95)"
        value={formatDuration(total.durationP95Ms)}
        title={`p50 ${formatDuration(total.durationP50Ms)}, p99 ${formatDuration(total.durationP99Ms)}`}
        change={changes.durationP95Ms}
        isHigherWorse
        search={{ ...started, sort: "longest" }}
      />
    </dl>
  );
}

interface MetricProps {
  label: string;
  value: string;
  title: string | undefined;
  change: Change | undefined;
  /** Whether a higher value is worse, which colours the change. */
  isHigherWorse?: boolean;
  search: TracesSearch;
}

function Metric({ label, value, title, change, isHigherWorse, search }: MetricProps) {
  const tone = !isHigherWorse ? "text-muted" : change?.isUp ? "text-error" : "text-completed";
  return (
    <div className="relative grid content-start gap-1 bg-bg p-3 last:col-span-2 hover:bg-panel md:last:col-span-1">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-2" title={title}>
        <Link
          to={paths.traces}
          search={search}
          className="text-xl font-semibold after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
        >
          {value}
        </Link>
        {change && (
          <span className={`text-xs ${tone}`}>
            <span aria-hidden="true">{change.isUp ? "↑" : "↓"} </span>
            <span className="sr-only">{change.isUp ? "up" : "down"} </span>
            {change.text}
          </span>
        )}
      </dd>
    </div>
  );
}
