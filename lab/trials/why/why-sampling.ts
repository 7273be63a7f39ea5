// Computes findings of agents whose runs were sampled: failed runs are all kept, of the others one in ten (sampleRate 0.1 with
// keepErrors). Prints for each world, with and without weights, how many lists name an innocent tool, how many name a culprit, and
// which share of runs seems to have failed. Fails if, with weights, more than 5 % of the lists over all worlds name an innocent tool,
// or if the share of failed runs is wrong by more than 3 points.
import { parseArgs } from "node:util";
import { runTrial } from "@whytrace/testing/trial.ts";
import { runInTimeSlices } from "../../../packages/server/src/concurrency/run-in-time-slices.ts";
import { fitCauses } from "../../../packages/server/src/insights/findings/fit/fit-causes.ts";
import { listFindings } from "../../../packages/server/src/insights/findings/list/list-findings.ts";
import { prepareRuns } from "../../../packages/server/src/insights/findings/runs/prepare-runs.ts";
import { drawAgent } from "../../worlds/draw-agent.ts";
import { observedRuns } from "../../worlds/observed-runs.ts";
import type { World, WorldRun } from "../../worlds/world.ts";
import { WorldScore } from "../../worlds/world-score.ts";
import { WORLDS } from "../../worlds/worlds.ts";

const { values: flags } = parseArgs({
  options: {
    worlds: {
      type: "string",
      default:
        "usual order,usual order; final check,chance,near culprit,circling,stale cache,fallback,habits of users",
    },
    /** Before sampling. */
    runs: { type: "string", default: "3000" },
    agents: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
  },
});
const RATE = 0.1;
const MAX_KEPT = 1_000;
const MAX_FALSE_SHARE = 0.05;
const MAX_SHARE_ERROR = 0.03;

const names = flags.worlds.split(",").map((name) => name.replace(";", ","));

await runTrial(async () => {
  const rows: object[] = [];
  const sums = { lists: 0, falseLists: 0, error: 0 };
  for (const world of WORLDS.filter(({ name }) => names.includes(name)))
    for (const isWeighted of [false, true]) {
      const score = new WorldScore();
      let [failed, shown] = [0, 0];
      for (let number = 0; number < Number(flags.agents); number += 1) {
        const share = await judgeAgent(world, number, isWeighted, score);
        failed += share.failed / Number(flags.agents);
        shown += share.shown / Number(flags.agents);
      }
      if (isWeighted) {
        sums.lists += score.lists;
        sums.falseLists += score.falseLists;
        sums.error = Math.max(sums.error, Math.abs(failed - shown));
      }
      const { lists, falseLists } = score;
      rows.push({
        world: world.name,
        isWeighted,
        lists,
        falseLists,
        ...percent({ failed, shown }),
        ...score.row,
      });
      console.log(JSON.stringify(rows.at(-1)));
    }
  console.table(rows);
  console.log(sums);
  return sums.falseLists <= MAX_FALSE_SHARE * sums.lists && sums.error <= MAX_SHARE_ERROR;
});

async function judgeAgent(world: World, number: number, isWeighted: boolean, score: WorldScore) {
  const drawn = drawAgent(world, number, Number(flags.runs), Number(flags.seed));
  let kept = 0;
  const runs = drawn.runs.flatMap((run): WorldRun[] => {
    if (run.status !== "COMPLETED") return [{ ...run, sampleProbability: 1 }];
    kept += RATE;
    if (kept < 1) return [];
    kept -= 1;
    return [{ ...run, sampleProbability: isWeighted ? RATE : 1 }];
  });
  const counted = await runInTimeSlices(
    prepareRuns(observedRuns({ agent: drawn.agent, runs: runs.slice(-MAX_KEPT) }), world.lens ?? "failed"),
  );
  const fit = await runInTimeSlices(fitCauses(counted));
  const { findings } = await runInTimeSlices(listFindings(counted, fit));
  const claimsOf = (wanted: "worse" | "undecided") =>
    findings
      .filter(({ group }) => group === wanted)
      .map(({ kind, option }) => `${kind} ${drawn.agent.tools[option] ?? ""}` as const);
  score.judgeList(claimsOf("worse"), drawn.agent, claimsOf("undecided"));
  const all = counted.runs.reduce((sum, { weight }) => sum + weight, 0);
  const failed = drawn.runs.filter(({ status }) => status !== "COMPLETED").length / drawn.runs.length;
  return { failed, shown: fit.bad / all };
}

function percent(shares: Record<string, number>) {
  return Object.fromEntries(
    Object.entries(shares).map(([name, share]) => [name, `${(100 * share).toFixed(0)} %`]),
  );
}
