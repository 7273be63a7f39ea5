import type { Status, TraceMetrics, TraceSort } from "@whytrace/contract";
import { formatCost, formatCount, formatDuration } from "../ui/format/format.ts";
import { formatRoundDuration, ROUND_DURATIONS_MS } from "../ui/format/round-duration.ts";

export interface Series {
  label: string;
  /** A CSS class that sets `--tint`. */
  tint: string;
  value: (figures: TraceMetrics) => number | null;
  /** A mark links to the traces of its bucket, filtered by this status if set. */
  status?: Status;
}

/** What a chart, or the table with the same data, shows. */
export interface ChartSpec {
  title: string;
  kind: "bars" | "lines";
  /** For bars, from the bottom of the stack to the top. */
  series: Series[];
  format: (value: number | null) => string;
  formatTick?: (value: number) => string;
  /** Round steps between ticks, if decimal ones are not round in the chart's unit. */
  tickSteps?: readonly number[];
  isInteger?: boolean;
  sort?: TraceSort;
}

export const CHARTS: ChartSpec[] = [
  {
    title: "Traces",
    kind: "bars",
    format: formatCount,
    isInteger: true,
    series: [
      {
        label: "Completed",
        status: "COMPLETED",
        tint: "[--tint:color-mix(in_oklab,var(--color-agent)_70%,var(--color-bg))]",
        value: ({ traces }) => traces.COMPLETED,
      },
      {
        label: "Running",
        status: "RUNNING",
        tint: "[--tint:var(--color-retry)]",
        value: ({ traces }) => traces.RUNNING,
      },
      {
        label: "Error",
        status: "ERROR",
        tint: "[--tint:var(--color-error)]",
        value: ({ traces }) => traces.ERROR,
      },
    ],
  },
  {
    title: "Duration",
    kind: "lines",
    format: formatDuration,
    formatTick: formatRoundDuration,
    tickSteps: ROUND_DURATIONS_MS,
    sort: "longest",
    series: [
      { label: "p50", tint: "[--tint:var(--color-memory)]", value: (figures) => figures.durationP50Ms },
      { label: "p95", tint: "[--tint:var(--color-llm)]", value: (figures) => figures.durationP95Ms },
      { label: "p99", tint: "[--tint:var(--color-escalation)]", value: (figures) => figures.durationP99Ms },
    ],
  },
  {
    title: "Cost",
    kind: "bars",
    format: formatCost,
    formatTick: (usd) => `$${Number(usd.toPrecision(3))}`,
    sort: "costliest",
    series: [
      {
        label: "Cost",
        tint: "[--tint:color-mix(in_oklab,var(--color-llm)_70%,var(--color-bg))]",
        value: (figures) => figures.costUsd,
      },
    ],
  },
  {
    title: "Tokens",
    kind: "bars",
    format: formatCount,
    isInteger: true,
    series: [
      {
        label: "Tokens",
        tint: "[--tint:color-mix(in_oklab,var(--color-memory)_70%,var(--color-bg))]",
        value: (figures) => figures.tokens,
      },
    ],
  },
];
