// Computes findings of agents whose faults are known, without a server: prints for each world how many lists name an innocent
// tool, how many name the culprit or leave it undecided, how often the first suspect of a bad run is guilty, and how often each
// word is said and right. Fails if, of at least 20 agents, more than 5 % have a list that names an innocent tool where what
// confounds is recorded.
import { parseArgs } from "node:util";
import { runTrial } from "@whytrace/testing/trial.ts";
import { runInTimeSlices } from "../../../packages/server/src/concurrency/run-in-time-slices.ts";
import { Blamer } from "../../../packages/server/src/insights/findings/blamer.ts";
import type { ClaimKind } from "../../../packages/server/src/insights/findings/list/option-test.ts";
import { prepareRuns } from "../../../packages/server/src/insights/findings/runs/prepare-runs.ts";
import { drawAgent } from "../../worlds/draw-agent.ts";
import { observedRuns } from "../../worlds/observed-runs.ts";
import type { Claim, World } from "../../worlds/world.ts";
import { WorldScore } from "../../worlds/world-score.ts";
import { WORLDS } from "../../worlds/worlds.ts";

const { values: flags } = parseArgs({
  options: {
    /** Beginnings of names, with commas between. */
    worlds: { type: "string", default: "" },
    runs: { type: "string", default: "100,300" },
    agents: { type: "string", default: "20" },
    /** So many bad runs of an agent are blamed. */
    blamed: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
  },
});
const SIZES = flags.runs.split(",").map(Number);
const AGENTS = Number(flags.agents);
const BLAMED = Number(flags.blamed);
const SEED = Number(flags.seed);
const MAX_FALSE_SHARE = 0.05;
/** Fewer agents say nothing about so small a share. */
const MIN_AGENTS = 20;

await runTrial(async () => {
  const failures: string[] = [];
  const rows: object[] = [];
  const starts = flags.worlds.split(",");
  for (const world of WORLDS.filter(({ name }) => starts.some((start) => name.startsWith(start))))
    for (const runs of SIZES) {
      const score = new WorldScore();
      for (let number = 0; number < AGENTS; number += 1) await judgeAgent(world, number, runs, score);
      const { lists, falseLists } = score;
      if (!world.isHopeless && lists >= MIN_AGENTS && falseLists > MAX_FALSE_SHARE * lists)
        failures.push(`${world.name}, ${runs} runs: ${falseLists} of ${lists} lists name an innocent tool`);
      rows.push({ world: world.name, runs, ...score.row });
      console.log(JSON.stringify(rows.at(-1)));
    }
  console.table(rows);
  console.log(failures.length === 0 ? "passed" : `failed:\n  ${failures.join("\n  ")}`);
  return failures.length === 0;
});

async function judgeAgent(world: World, number: number, runs: number, score: WorldScore) {
  const drawn = drawAgent(world, number, runs, SEED);
  const counted = await runInTimeSlices(prepareRuns(observedRuns(drawn), world.lens ?? "failed"));
  const blamer = await runInTimeSlices(Blamer.learn(counted));
  const claimOf = ({ kind, option }: { kind: ClaimKind; option: number }): Claim =>
    `${kind} ${drawn.agent.tools[option] ?? ""}`;
  const claims = Map.groupBy(blamer.list.findings, ({ group }) => group);
  const worse = claims.get("worse") ?? [];
  const undecided = claims.get("undecided") ?? [];
  score.judgeList(worse.map(claimOf), drawn.agent, undecided.map(claimOf));
  const bad = drawn.runs.flatMap((run, index) => {
    const countedRun = counted.runs[index];
    return countedRun?.isBad ? [{ run, countedRun }] : [];
  });
  for (const { run, countedRun } of bad.slice(-BLAMED)) {
    const [first] = (await runInTimeSlices(blamer.blame(countedRun))).suspects;
    score.judgeSuspect(run, first && { claim: claimOf(first), turn: first.turns[0], word: first.word });
  }
}
