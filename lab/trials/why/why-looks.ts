// Opens the findings of agents whose faults are known every day for two months, without a server: each day the list of the last 30
// days is computed and watched as the product does. Prints for each world how many agents had a list that named an innocent tool on
// any day, how many days, and after how many days the culprit entered. Fails if more than 10 % of the agents in worlds whose
// confounder is recorded had such a list at least once.
import { parseArgs } from "node:util";
import { runTrial } from "@whytrace/testing/trial.ts";
import { runInTimeSlices } from "../../../packages/server/src/concurrency/run-in-time-slices.ts";
import type { Finding } from "../../../packages/server/src/insights/findings/list/finding.ts";
import { listRuns } from "../../../packages/server/src/insights/findings/list/list-runs.ts";
import { MAX_COUNTED_RUNS } from "../../../packages/server/src/insights/findings/read-recorded-runs.ts";
import { watchFindings } from "../../../packages/server/src/insights/findings/watch-findings.ts";
import { drawAgent } from "../../worlds/draw-agent.ts";
import { observedRuns } from "../../worlds/observed-runs.ts";
import type { World } from "../../worlds/world.ts";
import { WORLDS } from "../../worlds/worlds.ts";

const { values: flags } = parseArgs({
  options: {
    /** Beginnings of names, with commas between. */
    worlds: { type: "string", default: "" },
    agents: { type: "string", default: "2" },
    "runs-a-day": { type: "string", default: "10" },
    days: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
  },
});
const AGENTS = Number(flags.agents);
const RUNS_A_DAY = Number(flags["runs-a-day"]);
const DAYS = Number(flags.days);
const SEED = Number(flags.seed);
const WINDOW_DAYS = 30;
const MAX_FALSE_SHARE = 0.1;

await runTrial(async () => {
  const rows: object[] = [];
  let [agents, falseAgents] = [0, 0];
  const starts = flags.worlds.split(",");
  for (const world of WORLDS.filter(({ name }) => starts.some((start) => name.startsWith(start)))) {
    const looked: Looked[] = [];
    for (let number = 0; number < AGENTS; number += 1) looked.push(await lookDaily(world, number));
    const accused = looked.filter(({ falseDays }) => falseDays > 0);
    if (!world.isHopeless) {
      agents += looked.length;
      falseAgents += accused.length;
    }
    rows.push({
      world: world.name,
      agents: looked.length,
      false: accused.length,
      "false days": looked.reduce((sum, { falseDays }) => sum + falseDays, 0),
      "found on day": looked.map(({ foundOn }) => foundOn ?? "-").join(" "),
      accused: [...new Set(accused.flatMap((one) => [...one.accused]))].join(", "),
    });
    console.log(JSON.stringify(rows.at(-1)));
  }
  console.table(rows);
  console.log(
    `${falseAgents} of ${agents} agents, where what confounds is recorded, had a false entry at least once`,
  );
  return falseAgents <= MAX_FALSE_SHARE * agents;
});

interface Looked {
  falseDays: number;
  accused: ReadonlySet<string>;
  foundOn: number | undefined;
}

async function lookDaily(world: World, number: number): Promise<Looked> {
  const drawn = drawAgent(world, number, DAYS * RUNS_A_DAY, SEED);
  const { tools, guilty, alsoTrue = [] } = drawn.agent;
  const observed = observedRuns(drawn);
  const accused = new Set<string>();
  let falseDays = 0;
  let foundOn: number | undefined;
  let listed: { finding: Finding; since: number }[] = [];
  for (let day = 1; day <= DAYS; day += 1) {
    const window = observed.slice(Math.max(0, day - WINDOW_DAYS) * RUNS_A_DAY, day * RUNS_A_DAY);
    const counted = window.slice(-MAX_COUNTED_RUNS);
    const { findings } = await runInTimeSlices(listRuns(counted, world.lens ?? "failed"));
    const worse = findings.filter(({ group }) => group === "worse");
    listed = watchFindings(listed, worse, day);
    const claims = listed.map(({ finding: { kind, option } }) => `${kind} ${tools[option] ?? ""}` as const);
    const innocents = claims.filter((claim) => ![...guilty, ...alsoTrue].some((truth) => truth === claim));
    for (const claim of innocents) accused.add(claim);
    if (innocents.length > 0) falseDays += 1;
    if (guilty.some((truth) => claims.some((claim) => claim === truth))) foundOn ??= day;
  }
  return { falseDays, accused, foundOn };
}
