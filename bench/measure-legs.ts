import { median } from "@whytrace/testing/percentile.ts";
import type { Cost, Meter } from "./meter.ts";

/** One way of doing the same work. */
export interface Way {
  name: string;
  /** Traces a leg. */
  count: number;
  /** The service's processes that take part. */
  pids: number[];
  /** Everything that must not be on the clock: bodies, scripts. */
  prepare(round: number): Promise<PreparedLeg>;
}

export interface PreparedLeg {
  run(): Promise<unknown>;
  remove?(): Promise<void>;
}

/** Figures a trace, medians over the rounds; the legs themselves beside them. */
export interface WayFigures {
  name: string;
  tracesPerSecond: number;
  nodeCpuMs: number;
  postgresCpuMs: number;
  walBytes: number;
  legs: Leg[];
}

export interface Leg {
  round: number;
  tracesPerSecond: number;
  nodeCpuMs: number;
  postgresCpuMs: number;
  walBytes: number;
}

/**
 * Runs the ways one after another, round by round, so that whatever slows the machine for a while slows all of them;
 * each goes first in turn, as the later ones find larger tables, unless one builds on another. Round 0 warms up and is not counted.
 */
export async function measureLegs(
  meter: Meter,
  rounds: number,
  ways: Way[],
  order: "in turn" | "in order" = "in turn",
): Promise<WayFigures[]> {
  const legs = new Map(ways.map(({ name }) => [name, [] as Leg[]]));
  for (let round = 0; round <= rounds; round += 1)
    for (const [index] of ways.entries()) {
      const way = ways[order === "in turn" ? (index + round) % ways.length : index];
      if (!way) continue;
      const { run, remove } = await way.prepare(round);
      const leg = perTrace(await meter.measure(way.pids, run), way.count, round);
      await remove?.();
      if (round === 0) continue;
      legs.get(way.name)?.push(leg);
      console.error(`round ${round}, ${way.name}: ${leg.tracesPerSecond.toFixed(0)} traces/s`);
    }
  return ways.map(({ name }) => summary(name, legs.get(name) ?? []));
}

const perTrace = (
  { timeMs, nodeCpuMs, postgresCpuMs, walBytes }: Cost,
  count: number,
  round: number,
): Leg => ({
  round,
  tracesPerSecond: (count / timeMs) * 1_000,
  nodeCpuMs: nodeCpuMs / count,
  postgresCpuMs: postgresCpuMs / count,
  walBytes: walBytes / count,
});

function summary(name: string, legs: Leg[]): WayFigures {
  const of = (read: (leg: Leg) => number) => median(legs.map(read));
  return {
    name,
    tracesPerSecond: of((leg) => leg.tracesPerSecond),
    nodeCpuMs: of((leg) => leg.nodeCpuMs),
    postgresCpuMs: of((leg) => leg.postgresCpuMs),
    walBytes: of((leg) => leg.walBytes),
    legs,
  };
}
