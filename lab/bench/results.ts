import type { IngestMetrics } from "./measure/measure-batches.ts";
import type { GrowthMetrics } from "./measure/measure-growth.ts";
import type { LargeTraceMetrics } from "./measure/measure-large-trace.ts";
import type { OtlpMetrics } from "./measure/measure-otlp.ts";
import type { ReadMetrics } from "./measure/measure-reads.ts";
import type { SingleMetrics } from "./measure/measure-singles.ts";
import type { VariantMetrics } from "./measure/measure-variants.ts";

/** The measurements of a run; sections that did not run are absent. */
export interface Results {
  isQuick: boolean;
  rounds: number;
  batches?: IngestMetrics;
  conversationBatches?: IngestMetrics;
  singles?: SingleMetrics;
  conversationSingles?: SingleMetrics;
  otlp?: OtlpMetrics;
  resends?: VariantMetrics[];
  masking?: { full: VariantMetrics[]; conversation: VariantMetrics[] };
  largeTrace?: LargeTraceMetrics;
  reads?: ReadMetrics[];
  growth?: GrowthMetrics[];
}

/** Targets for the p99 of a tenant of 100,000 traces, and of one of 1,000,000. */
export const READ_TARGET_MS = 20;
export const LARGE_READ_TARGET_MS = 50;

/** The metrics that have targets, as `--json` prints them. */
export function summarize(results: Results) {
  const { batches, conversationBatches, singles, conversationSingles, otlp, resends } = results;
  const { masking, largeTrace, reads, growth } = results;
  const large = growth?.at(-1)?.reads;
  return {
    ingest: {
      ...(batches && { batch50: batchSummary(batches.variants), ...costSummary(batches) }),
      ...(singles && { single: singleSummary(singles) }),
      ...(otlp && { otlp: otlpSummary(otlp) }),
      ...(resends && { resend: resendSummary(resends) }),
      ...(masking && {
        masking: { full: maskingSummary(masking.full), conversation: maskingSummary(masking.conversation) },
      }),
    },
    reads: {
      ...(reads && readSummary(reads, READ_TARGET_MS)),
      ...(large && { large: readSummary(large, LARGE_READ_TARGET_MS) }),
      ...(largeTrace && traceSummary(largeTrace)),
    },
    conversation: {
      ...(conversationBatches && {
        ratio: speedRatio(conversationBatches.variants, "service", "bare"),
        ratioOfPacked: speedRatio(conversationBatches.variants, "service", "bare, packed"),
        ...costSummary(conversationBatches),
      }),
      ...(conversationSingles && {
        single: speedRatio(conversationSingles.variants, "64 tenants", "bare"),
      }),
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

const speedRatio = (variants: VariantMetrics[], name: string, base: string) =>
  round(findVariant(variants, name).tracesPerSecond / findVariant(variants, base).tracesPerSecond);

const batchSummary = (variants: VariantMetrics[]) => ({
  ratio: speedRatio(variants, "service", "bare"),
  ratioOfPacked: speedRatio(variants, "service", "bare, packed"),
  twoProcesses: speedRatio(variants, "two processes", "bare"),
  rowByRow: speedRatio(variants, "row by row", "bare"),
});

/** What the service uses per trace, compared with PostgreSQL alone with unpacked rows. */
function costSummary({ variants, jsonBytes }: IngestMetrics) {
  const [service, bare] = [findVariant(variants, "service"), findVariant(variants, "bare")];
  return {
    cpuRatio: round(cpu(service) / bare.postgresCpuMs),
    diskOfUnpacked: round(service.diskBytes / bare.diskBytes),
    walOfUnpacked: round(service.walBytes / bare.walBytes),
    diskOfRaw: round(service.diskBytes / jsonBytes),
  };
}

function traceSummary({ manySpans, largeConversation }: LargeTraceMetrics) {
  return {
    trace10kRatio: round(manySpans.service.p50Ms / manySpans.bare.p50Ms),
    trace10kMs: round(manySpans.service.p50Ms),
    trace10kCpuMs: round(manySpans.service.cpuMs),
    trace10kOutlineMs: round(manySpans.outline.p50Ms),
    largeTrace: {
      ratio: round(largeConversation.service.p50Ms / largeConversation.bare.p50Ms),
      ms: round(largeConversation.service.p50Ms),
      outlineMs: round(largeConversation.outline.p50Ms),
      spanP99Ms: round(largeConversation.span.p99Ms),
    },
  };
}

function singleSummary({ variants, loneP50Ms }: SingleMetrics) {
  return {
    ratio: speedRatio(variants, "64 tenants", "bare"),
    oneTenant: speedRatio(variants, "one tenant", "bare"),
    loneP50Ms: round(loneP50Ms),
  };
}

function otlpSummary({ variants, spansPerTrace }: OtlpMetrics) {
  const spansPerSecond = (name: string) =>
    Math.round(findVariant(variants, name).tracesPerSecond * spansPerTrace);
  return {
    spansPerSecond: spansPerSecond("whole traces"),
    spansPerSecondInPieces: spansPerSecond("ten pieces"),
    ratio: speedRatio(variants, "whole traces", "bare"),
    ratioInPieces: speedRatio(variants, "ten pieces", "bare"),
    ratioOfJson: speedRatio(variants, "whole traces", "POST /api/traces"),
  };
}

function resendSummary(variants: VariantMetrics[]) {
  const [first, again] = [findVariant(variants, "first"), findVariant(variants, "again")];
  return {
    cpuRatio: round(cpu(again) / cpu(first)),
    engineCpuRatio: round(again.postgresCpuMs / first.postgresCpuMs),
    walRatio: round(again.walBytes / first.walBytes),
    cpuMs: round(cpu(again)),
    engineCpuMs: round(again.postgresCpuMs),
    walKb: round(again.walBytes / 1_000),
    firstCpuMs: round(cpu(first)),
    firstEngineCpuMs: round(first.postgresCpuMs),
    firstWalKb: round(first.walBytes / 1_000),
  };
}

/** All CPU of a level over that without masking. */
function maskingSummary(variants: VariantMetrics[]) {
  const ratio = (level: string) =>
    round(cpu(findVariant(variants, level)) / cpu(findVariant(variants, "off")));
  return { secrets: ratio("secrets"), personal: ratio("personal") };
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
