import type { TraceMetrics } from "@whytrace/contract";
import { formatPercent } from "../ui/format/format-percent.ts";

export interface Change {
  text: string;
  isUp: boolean;
}

type Metric = "traces" | "failureRate" | "costUsd" | "tokens" | "durationP95Ms";

/** With a smaller part of the traces, the range before is mostly from the time before anything was recorded. */
const MIN_TRACES_BEFORE = 0.1;

export const traceCount = ({ traces }: TraceMetrics) => traces.RUNNING + traces.COMPLETED + traces.ERROR;

/** The share of bad runs, of those that are good or bad. */
export const failureRate = ({ outcomes: { good, bad } }: TraceMetrics) =>
  good + bad === 0 ? null : bad / (good + bad);

/** How metrics differ from those of the range before. A metric that did not change, or cannot be compared, is left out. */
export function metricChanges(
  total: TraceMetrics,
  before: TraceMetrics,
): { [name in Metric]?: Change | undefined } {
  if (traceCount(before) < MIN_TRACES_BEFORE * traceCount(total)) return {};
  return {
    traces: relativeChange(traceCount(total), traceCount(before)),
    failureRate: percentagePointChange(failureRate(total), failureRate(before)),
    costUsd: relativeChange(total.costUsd, before.costUsd),
    tokens: relativeChange(total.tokens, before.tokens),
    durationP95Ms: relativeChange(total.durationP95Ms, before.durationP95Ms),
  };
}

function relativeChange(now: number | null, before: number | null): Change | undefined {
  if (!now || !before) return undefined;
  const share = Math.round((now / before - 1) * 100);
  if (share === 0) return undefined;
  return { text: share > 999 ? "over 10×" : formatPercent(Math.abs(share) / 100), isUp: share > 0 };
}

function percentagePointChange(now: number | null, before: number | null): Change | undefined {
  if (now === null || before === null) return undefined;
  const points = Math.round((now - before) * 1_000) / 10;
  return points === 0 ? undefined : { text: `${Math.abs(points)} points`, isUp: points > 0 };
}
