import type { Random } from "@whytrace/demo";

/** What a simulated release does. Runs of a session end alike, and cost and take about the same. */
interface SimulatedRelease {
  badRate: number;
  costUsd: number;
  durationMs: number;
}

export interface SimulatedRun {
  id: string;
  session: string;
  isBad: boolean;
  isAbandoned: false;
  costUsd: number;
  durationMs: number;
}

interface ReleasePair {
  name: string;
  base: SimulatedRelease;
  current: SimulatedRelease;
  isWorse: boolean;
}

const USUAL: SimulatedRelease = { badRate: 0.08, costUsd: 0.02, durationMs: 4_000 };
/** How often a run of a session does what the session does: runs are correlated by its square. */
const ALIKE = 0.55;
const MAX_RUNS_OF_SESSION = 6;

/** Ten pairs of which the second release is worse in some way, and ten of which it is not. */
export const RELEASE_PAIRS: readonly ReleasePair[] = [
  ...[0.22, 0.24, 0.26, 0.28, 0.3].map((badRate) =>
    pair(`bad runs 8 to ${Math.round(100 * badRate)} %`, { badRate }),
  ),
  pair("time × 1.4", { durationMs: 5_600 }),
  pair("time × 1.8", { durationMs: 7_200 }),
  pair("cost × 1.4", { costUsd: 0.028 }),
  pair("cost × 2", { costUsd: 0.04 }),
  pair("bad runs 8 to 26 %, cost × 0.6", { badRate: 0.26, costUsd: 0.012 }),
  ...Array.from({ length: 6 }, () => pair("alike")),
  pair("bad runs 8 to 2 %", { badRate: 0.02 }),
  pair("time × 0.6", { durationMs: 2_400 }),
  pair("cost × 0.5", { costUsd: 0.01 }),
  pair("time × 1.03, too little to matter", { durationMs: 4_120 }),
];

function pair(name: string, changed: Partial<SimulatedRelease> = {}): ReleasePair {
  const current = { ...USUAL, ...changed };
  const isWorse =
    current.badRate > USUAL.badRate ||
    current.costUsd > USUAL.costUsd ||
    current.durationMs > 1.1 * USUAL.durationMs;
  return { name, base: USUAL, current, isWorse };
}

/** The runs of a release in so many sessions. */
export function simulateRuns(
  { badRate, costUsd, durationMs }: SimulatedRelease,
  { sessions, random, prefix }: { sessions: number; random: Random; prefix: string },
): SimulatedRun[] {
  const runs: SimulatedRun[] = [];
  for (let number = 0; number < sessions; number += 1) {
    const [luck, length] = [random.next(), random.logNormal(1, 0.5)];
    for (let left = random.between(1, MAX_RUNS_OF_SESSION); left > 0; left -= 1)
      runs.push({
        id: `${prefix}-${number}-${left}`,
        session: `${prefix}-${number}`,
        isBad: (random.chance(ALIKE) ? luck : random.next()) < badRate,
        isAbandoned: false,
        costUsd: costUsd * length * random.logNormal(1, 0.4),
        durationMs: durationMs * length * random.logNormal(1, 0.4),
      });
  }
  return runs;
}
