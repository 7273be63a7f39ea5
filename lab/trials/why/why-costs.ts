// Gives the runs of simulated agents costs that no choice changes, and then costs of which one option makes a turn dearer: prints
// how many lists call an innocent option dearer, and how many name the planted one. Fails if, of at least 100 lists, more than 5 %
// are false. It needs no database.
import { parseArgs } from "node:util";
import { runTrial } from "@whytrace/testing/trial.ts";
import { runInTimeSlices } from "../../../packages/server/src/concurrency/run-in-time-slices.ts";
import { listCosts } from "../../../packages/server/src/insights/findings/list/list-costs.ts";
import { prepareRuns } from "../../../packages/server/src/insights/findings/runs/prepare-runs.ts";
import { drawAgent } from "../../worlds/draw-agent.ts";
import { observedRuns } from "../../worlds/observed-runs.ts";
import { type CostWorld, withCosts } from "../../worlds/with-costs.ts";
import { WORLDS } from "../../worlds/worlds.ts";

const { values: flags } = parseArgs({
  options: {
    runs: { type: "string", default: "100,300" },
    agents: { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
  },
});
const SEED = Number(flags.seed);
const MAX_FALSE_SHARE = 0.05;
/** Fewer lists say nothing about so small a share. */
const MIN_LISTS = 100;
const COSTS: Record<string, CostWorld> = {
  even: { spread: 0.5, sessionSpread: 0, growth: 0 },
  "growing with each turn": { spread: 0.5, sessionSpread: 0.5, growth: 0.3 },
  skewed: { spread: 1.2, sessionSpread: 0.5, growth: 0.15 },
  "very skewed": { spread: 2, sessionSpread: 1, growth: 0.15 },
};
const TIMES = [undefined, 2, 4];

await runTrial(async () => {
  const failures: string[] = [];
  const rows: object[] = [];
  for (const [costs, world] of Object.entries(COSTS))
    for (const runs of flags.runs.split(",").map(Number))
      for (const times of TIMES) {
        const score = { lists: 0, false: 0, found: 0, smallBy5Percent: 0 };
        for (const [index, { name }] of WORLDS.entries())
          for (let number = 0; number < Number(flags.agents); number += 1)
            await judge({ index, number, runs, world, times }, score).catch((error: unknown) => {
              throw new Error(`${name}, agent ${number}`, { cause: error });
            });
        if (score.lists >= MIN_LISTS && score.false > MAX_FALSE_SHARE * score.lists)
          failures.push(`${costs}, ${runs} runs: ${score.false} of ${score.lists} lists are false`);
        rows.push({ costs, runs, planted: times ?? "nothing", ...score });
        console.log(JSON.stringify(rows.at(-1)));
      }
  console.table(rows);
  console.log(failures.length === 0 ? "passed" : `failed:\n  ${failures.join("\n  ")}`);
  return failures.length === 0;
});

interface Drawn {
  /** Of the agent's world. */
  index: number;
  number: number;
  runs: number;
  world: CostWorld;
  times: number | undefined;
}

async function judge(
  { index, number, runs, world, times }: Drawn,
  score: { lists: number; false: number; found: number; smallBy5Percent: number },
) {
  const played = WORLDS[index];
  if (!played) return;
  const drawn = drawAgent(played, number, runs, SEED);
  const option = number % drawn.agent.tools.length;
  const dear = times === undefined ? {} : { dear: { option, times } };
  const observed = withCosts(observedRuns(drawn), { ...world, ...dear }, SEED * 7_919 + index * 31 + number);
  const counted = await runInTimeSlices(prepareRuns(observed, "failed"));
  const { dearer, smallest } = await runInTimeSlices(listCosts(counted));
  const isPlanted = (one: { option: number }) => times !== undefined && one.option === option;
  score.lists += 1;
  if (dearer.some((one) => !isPlanted(one))) score.false += 1;
  if (dearer.some(isPlanted)) score.found += 1;
  if (smallest < MAX_FALSE_SHARE) score.smallBy5Percent += 1;
}
