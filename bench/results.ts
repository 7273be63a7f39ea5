import type { GrowthFigure } from "./measure-growth.ts";
import type { LargeTraceFigures } from "./measure-large-trace.ts";
import type { WayFigures } from "./measure-legs.ts";
import type { ReadFigure } from "./measure-reads.ts";
import type { SingleFigures } from "./measure-singles.ts";

/** What a run has measured; a section that was not asked for is absent. */
export interface Results {
  isQuick: boolean;
  rounds: number;
  batches?: WayFigures[];
  singles?: SingleFigures;
  resends?: WayFigures[];
  largeTrace?: LargeTraceFigures;
  reads?: ReadFigure[];
  growth?: GrowthFigure[];
}

/** At p99, of a tenant of 100,000 traces, and of one of 1,000,000. */
export const READ_AIM_MS = 20;
export const LARGE_READ_AIM_MS = 50;

/** The figures that aims are set for, in the form of `--json`. */
export function summarize(results: Results) {
  const { batches, singles, resends, largeTrace, reads, growth } = results;
  const large = growth?.at(-1)?.reads;
  return {
    ingest: {
      ...(batches && {
        batch50: batchFigures(batches),
        cpuRatio: round(cpu(way(batches, "service")) / way(batches, "bare").postgresCpuMs),
      }),
      ...(singles && { single: singleFigures(singles) }),
      ...(resends && { resend: resendFigures(resends) }),
    },
    reads: {
      ...(reads && readFigures(reads, READ_AIM_MS)),
      ...(large && { large: readFigures(large, LARGE_READ_AIM_MS) }),
      ...(largeTrace && { trace10kRatio: round(largeTrace.serviceP50Ms / largeTrace.bareP50Ms) }),
    },
    growth: growth ? growthFigures(growth) : {},
  };
}

export function way(figures: WayFigures[], name: string): WayFigures {
  const found = figures.find((one) => one.name === name);
  if (!found) throw new Error(`${name} was not measured`);
  return found;
}

export const cpu = ({ nodeCpuMs, postgresCpuMs }: WayFigures) => nodeCpuMs + postgresCpuMs;
const round = (value: number) => Math.round(value * 1_000) / 1_000;

const readFigures = (reads: ReadFigure[], aimMs: number) => ({
  p99Ms: round(Math.max(...reads.map(({ p99Ms }) => p99Ms))),
  overAim: reads.filter(({ p99Ms }) => p99Ms > aimMs).length,
  cases: reads.length,
});

function batchFigures(figures: WayFigures[]) {
  const bare = way(figures, "bare").tracesPerSecond;
  return {
    ratio: round(way(figures, "service").tracesPerSecond / bare),
    twoProcesses: round(way(figures, "two processes").tracesPerSecond / bare),
    rowByRow: round(way(figures, "row by row").tracesPerSecond / bare),
  };
}

function singleFigures({ ways, loneP50Ms }: SingleFigures) {
  const engine = way(ways, "engine").tracesPerSecond;
  return {
    ratio: round(way(ways, "64 tenants").tracesPerSecond / engine),
    oneTenant: round(way(ways, "one tenant").tracesPerSecond / engine),
    loneP50Ms: round(loneP50Ms),
  };
}

function resendFigures(figures: WayFigures[]) {
  const [first, again] = [way(figures, "first"), way(figures, "again")];
  return {
    cpuRatio: round(cpu(again) / cpu(first)),
    engineCpuRatio: round(again.postgresCpuMs / first.postgresCpuMs),
    walRatio: round(again.walBytes / first.walBytes),
  };
}

function growthFigures(figures: GrowthFigure[]) {
  const [first] = figures;
  return Object.fromEntries(
    figures.map(({ stored, service, bare, firstPages, bytes }) => [
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
