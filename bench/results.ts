import type { GrowthMetrics } from "./measure-growth.ts";
import type { LargeTraceMetrics } from "./measure-large-trace.ts";
import type { ReadMetrics } from "./measure-reads.ts";
import type { SingleMetrics } from "./measure-singles.ts";
import type { VariantMetrics } from "./measure-variants.ts";

/** The measurements of a run; sections that did not run are absent. */
export interface Results {
  isQuick: boolean;
  rounds: number;
  batches?: VariantMetrics[];
  singles?: SingleMetrics;
  resends?: VariantMetrics[];
  largeTrace?: LargeTraceMetrics;
  reads?: ReadMetrics[];
  growth?: GrowthMetrics[];
}

/** Targets for the p99 of a tenant of 100,000 traces, and of one of 1,000,000. */
export const READ_TARGET_MS = 20;
export const LARGE_READ_TARGET_MS = 50;

/** The metrics that have targets, as `--json` prints them. */
export function summarize(results: Results) {
  const { batches, singles, resends, largeTrace, reads, growth } = results;
  const large = growth?.at(-1)?.reads;
  return {
    ingest: {
      ...(batches && {
        batch50: batchSummary(batches),
        cpuRatio: round(cpu(findVariant(batches, "service")) / findVariant(batches, "bare").postgresCpuMs),
      }),
      ...(singles && { single: singleSummary(singles) }),
      ...(resends && { resend: resendSummary(resends) }),
    },
    reads: {
      ...(reads && readSummary(reads, READ_TARGET_MS)),
      ...(large && { large: readSummary(large, LARGE_READ_TARGET_MS) }),
      ...(largeTrace && { trace10kRatio: round(largeTrace.serviceP50Ms / largeTrace.bareP50Ms) }),
    },
    growth: growth ? growthSummary(growth) : {},
  };
}

export function findVariant(variants: VariantMetrics[], name: string): VariantMetrics {
  const found = variants.find((one) => one.name === name);
  if (!found) throw new Error(`${name} was not measured`);
  return found;
}

export const cpu = ({ nodeCpuMs, postgresCpuMs }: VariantMetrics) => nodeCpuMs + postgresCpuMs;
const round = (value: number) => Math.round(value * 1_000) / 1_000;

const readSummary = (reads: ReadMetrics[], targetMs: number) => ({
  p99Ms: round(Math.max(...reads.map(({ p99Ms }) => p99Ms))),
  overAim: reads.filter(({ p99Ms }) => p99Ms > targetMs).length,
  cases: reads.length,
});

function batchSummary(variants: VariantMetrics[]) {
  const bare = findVariant(variants, "bare").tracesPerSecond;
  return {
    ratio: round(findVariant(variants, "service").tracesPerSecond / bare),
    twoProcesses: round(findVariant(variants, "two processes").tracesPerSecond / bare),
    rowByRow: round(findVariant(variants, "row by row").tracesPerSecond / bare),
  };
}

function singleSummary({ variants, loneP50Ms }: SingleMetrics) {
  const bare = findVariant(variants, "bare").tracesPerSecond;
  return {
    ratio: round(findVariant(variants, "64 tenants").tracesPerSecond / bare),
    oneTenant: round(findVariant(variants, "one tenant").tracesPerSecond / bare),
    loneP50Ms: round(loneP50Ms),
  };
}

function resendSummary(variants: VariantMetrics[]) {
  const [first, again] = [findVariant(variants, "first"), findVariant(variants, "again")];
  return {
    cpuRatio: round(cpu(again) / cpu(first)),
    engineCpuRatio: round(again.postgresCpuMs / first.postgresCpuMs),
    walRatio: round(again.walBytes / first.walBytes),
  };
}

function growthSummary(growth: GrowthMetrics[]) {
  const [first] = growth;
  return Object.fromEntries(
    growth.map(({ stored, service, bare, firstPages, bytes }) => [
      stored,
      {
        ingestOfFirst: round(service.tracesPerSecond / (first?.service.tracesPerSecond ?? 1)),
        cpuOfFirst: round(cpu(service) / (first ? cpu(first.service) : 1)),
        ratio: round(service.tracesPerSecond / bare.tracesPerSecond),
        pagesP99Ms: round(Math.max(...firstPages.map(({ p99Ms }) => p99Ms))),
        bytesPerTrace: Math.round(bytes / stored),
      },
    ]),
  );
}
