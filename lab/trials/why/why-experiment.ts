// Computes findings of agents that choose one of two options for hard cases, which nothing recorded tells, and that draw the option at
// random in 10 % of their runs. Prints how many lists accuse the option by observation, how many with the draws, how often the
// experiment's interval contains the truth, and how many lists say that a harmful option was measured. Fails if more than 5 % of the
// lists accuse a harmless option in spite of the draws, or if an interval contains the truth in other than 93 to 97 %.
import { parseArgs } from "node:util";
import { runTrial } from "@whytrace/testing/trial.ts";
import { runInTimeSlices } from "../../../packages/server/src/concurrency/run-in-time-slices.ts";
import { fitCauses } from "../../../packages/server/src/insights/findings/fit/fit-causes.ts";
import { listFindings } from "../../../packages/server/src/insights/findings/list/list-findings.ts";
import type { ObservedRun } from "../../../packages/server/src/insights/findings/runs/observed-run.ts";
import { prepareRuns } from "../../../packages/server/src/insights/findings/runs/prepare-runs.ts";
import { WorldRandom } from "../../worlds/world-random.ts";

const { values: flags } = parseArgs({
  options: {
    worlds: { type: "string", default: "400" },
    runs: { type: "string", default: "2000" },
    share: { type: "string", default: "0.1" },
    seed: { type: "string", default: "1" },
  },
});
const WORLDS = Number(flags.worlds);
const RUNS = Number(flags.runs);
const SHARE = Number(flags.share);
const QUICK = 0;
const DEEP = 1;
const ANSWER = 2;
/** What choosing `deep` adds to the probability of failure. */
const EFFECTS = [0, -0.1, 0.2];
const MAX_ACCUSED = 0.05;
const COVERAGE = [0.93, 0.97] as const;

await runTrial(async () => {
  const random = new WorldRandom(Number(flags.seed));
  const rows: Record<string, string>[] = [];
  let isPassed = true;
  for (const effect of EFFECTS) {
    const counts = { observed: 0, drawn: 0, covered: 0, measured: 0 };
    for (let world = 0; world < WORLDS; world += 1) {
      const runs = Array.from({ length: RUNS }, (_, cluster) => drawRun(random, cluster, effect));
      const withDraws = await list(runs);
      const withoutDraws = await list(runs.map(({ draws: _draws, ...run }) => run));
      if (isAccused(withoutDraws)) counts.observed += 1;
      if (isAccused(withDraws)) counts.drawn += 1;
      const { low = 1, high = -1 } = withDraws.experiments.get(DEEP) ?? {};
      if (low <= effect && effect <= high) counts.covered += 1;
      if (low > 0) counts.measured += 1;
    }
    const share = (count: number) => count / WORLDS;
    const coverage = share(counts.covered);
    if (effect <= 0 && share(counts.drawn) > MAX_ACCUSED) isPassed = false;
    if (coverage < COVERAGE[0] || coverage > COVERAGE[1]) isPassed = false;
    const percents = Object.entries(counts).map(([name, count]) => [
      name,
      `${(100 * share(count)).toFixed(1)} %`,
    ]);
    rows.push({ effect: String(effect), ...Object.fromEntries(percents) });
    console.log(JSON.stringify(rows.at(-1)));
  }
  console.table(rows);
  return isPassed;
});

function drawRun(random: WorldRandom, cluster: number, effect: number): ObservedRun {
  const isHard = random.chance(0.3);
  const isDrawn = random.chance(SHARE);
  const option = random.chance(isDrawn ? 0.5 : isHard ? 0.8 : 0.2) ? DEEP : QUICK;
  const isFailed = random.chance((isHard ? 0.4 : 0.12) + (option === DEEP ? effect : 0));
  return {
    turns: [[option], [ANSWER]],
    errors: [null, isFailed ? 1 : null],
    reactions: [false, false],
    status: isFailed ? "ERROR" : "COMPLETED",
    messageKind: null,
    isScoredBad: false,
    cluster,
    situation: 0,
    release: 0,
    startedAtMs: 0,
    weight: 1,
    ...(isDrawn && { draws: [{ place: 0, option, probability: 0.5 }] }),
  };
}

async function list(runs: readonly ObservedRun[]) {
  const counted = await runInTimeSlices(prepareRuns(runs, "failed"));
  return runInTimeSlices(listFindings(counted, await runInTimeSlices(fitCauses(counted))));
}

function isAccused({ findings }: Awaited<ReturnType<typeof list>>): boolean {
  return findings.some(({ kind, option, group }) => kind === "chose" && option === DEEP && group === "worse");
}
