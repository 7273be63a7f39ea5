import { median } from "@whytrace/testing/percentile.ts";
import type { Cost, Meter } from "./meter.ts";

/** One of several implementations of the same work. */
export interface Variant {
  name: string;
  /** Traces per run. */
  count: number;
  /** The server processes whose CPU time counts. */
  pids: number[];
  /** The database that the variant writes to, if it has its own. */
  databaseUrl?: string;
  /** Creates bodies and scripts before the measurement starts. */
  prepare(round: number): Promise<PreparedRun>;
}

export interface PreparedRun {
  run(): Promise<unknown>;
  remove?(): Promise<void>;
}

/** Medians over the rounds, per trace, and the single runs. */
export interface VariantMetrics {
  name: string;
  tracesPerSecond: number;
  nodeCpuMs: number;
  postgresCpuMs: number;
  walBytes: number;
  /** The mean over the rounds, because tables grow in steps. */
  diskBytes: number;
  runs: VariantRun[];
}

export interface VariantRun {
  round: number;
  tracesPerSecond: number;
  nodeCpuMs: number;
  postgresCpuMs: number;
  walBytes: number;
  diskBytes: number;
}

/**
 * Interleaves the variants round by round, so that a temporary slowdown of the machine affects all of them. Rotates their
 * order, because later runs find larger tables, unless one variant depends on another. Round 0 is a warm-up.
 */
export async function measureVariants(
  meter: Meter,
  rounds: number,
  variants: Variant[],
  order: "rotating" | "fixed" = "rotating",
): Promise<VariantMetrics[]> {
  const runs = new Map(variants.map(({ name }) => [name, [] as VariantRun[]]));
  for (let round = 0; round <= rounds; round += 1)
    for (const [index] of variants.entries()) {
      const variant = variants[order === "rotating" ? (index + round) % variants.length : index];
      if (!variant) continue;
      const { run, remove } = await variant.prepare(round);
      const result = perTrace(
        await meter.measure(variant.pids, run, variant.databaseUrl),
        variant.count,
        round,
      );
      await remove?.();
      if (round === 0) continue;
      runs.get(variant.name)?.push(result);
      console.error(`round ${round}, ${variant.name}: ${result.tracesPerSecond.toFixed(0)} traces/s`);
    }
  return variants.map(({ name }) => summary(name, runs.get(name) ?? []));
}

const perTrace = (
  { timeMs, nodeCpuMs, postgresCpuMs, walBytes, diskBytes }: Cost,
  count: number,
  round: number,
): VariantRun => ({
  round,
  tracesPerSecond: (count / timeMs) * 1_000,
  nodeCpuMs: nodeCpuMs / count,
  postgresCpuMs: postgresCpuMs / count,
  walBytes: walBytes / count,
  diskBytes: diskBytes / count,
});

function summary(name: string, runs: VariantRun[]): VariantMetrics {
  const medianOf = (read: (run: VariantRun) => number) => median(runs.map(read));
  return {
    name,
    tracesPerSecond: medianOf((run) => run.tracesPerSecond),
    nodeCpuMs: medianOf((run) => run.nodeCpuMs),
    postgresCpuMs: medianOf((run) => run.postgresCpuMs),
    walBytes: medianOf((run) => run.walBytes),
    diskBytes: runs.reduce((sum, run) => sum + run.diskBytes, 0) / runs.length,
    runs,
  };
}
