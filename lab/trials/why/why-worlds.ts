// Plays agents whose faults are known, by HTTP: sends their runs by OpenTelemetry, without and with the definitions of tools,
// and as decisions of a program, and reads what Why says. Prints for each world how many lists name an innocent tool, how many
// name the culprit, how often the first suspect of a bad run is guilty, and how often each word is said and right. Fails if lists
// name innocents in more than 5 % where what confounds is recorded, or if "likely" is right in less than 95 %.
import { parseArgs } from "node:util";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { sql } from "kysely";
import { createDatabase, createPool } from "../../../packages/server/src/db/database.ts";
import { drawAgent } from "../../worlds/draw-agent.ts";
import { DOORS, type Door, PlayedAgent } from "../../worlds/played-agent.ts";
import type { World, WorldRun } from "../../worlds/world.ts";
import { WorldScore } from "../../worlds/world-score.ts";
import { WORLDS } from "../../worlds/worlds.ts";

const { values: flags } = parseArgs({
  options: {
    /** Beginnings of names, with commas between. */
    worlds: { type: "string", default: "" },
    doors: { type: "string", default: DOORS.join() },
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
const MIN_LIKELY_RIGHT = 0.95;

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const db = createDatabase(createPool(database.url, { max: 1 }));
  onCleanup(() => db.destroy());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const failures: string[] = [];
  const rows: object[] = [];
  const starts = flags.worlds.split(",");
  const worlds = WORLDS.filter(({ name }) => starts.some((start) => name.startsWith(start)));
  for (const world of worlds)
    for (const runs of SIZES)
      for (const door of DOORS.filter((one) => flags.doors.split(",").includes(one))) {
        const score = await play(world, runs, door);
        const where = `${world.name}, ${runs} runs, ${door}`;
        const [said, right] = score.words.likely;
        if (!world.isHopeless && score.falseLists > MAX_FALSE_SHARE * score.lists)
          failures.push(`${where}: ${score.falseLists} of ${score.lists} lists name an innocent tool`);
        if (!world.isHopeless && right < MIN_LIKELY_RIGHT * said)
          failures.push(`${where}: "likely" is right in ${right} of ${said}`);
        rows.push({ world: world.name, runs, door, ...score.row });
        console.log(JSON.stringify(rows.at(-1)));
      }
  console.table(rows);
  console.log(failures.length === 0 ? "passed" : `failed:\n  ${failures.join("\n  ")}`);
  return failures.length === 0;

  /** As if nothing had come of open runs for a while. */
  async function abandonOpenRuns() {
    await sql`
      update traces set created_at = created_at - interval '2 hours' where status = 'RUNNING'`.execute(db);
    await sql`
      update otlp_parts set created_at = created_at - interval '2 hours'`.execute(db);
  }

  /** Each agent is alone in its workspace, as for a user with one agent. */
  async function play(world: World, runs: number, door: Door): Promise<WorldScore> {
    const score = new WorldScore();
    for (let number = 0; number < AGENTS; number += 1) {
      const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
      const drawn = drawAgent(world, number, runs, SEED);
      const played = new PlayedAgent(tenant, drawn, door, "worker");
      await played.send();
      await played.nameSituation();
      await abandonOpenRuns();
      const { claims, undecided } = await played.readClaims(world.lens ?? "failed");
      score.judgeList(claims, drawn.agent, undecided);
      const isBad = ({ status, isScoredBad }: WorldRun) =>
        world.lens === "scored" ? isScoredBad : status === "ERROR";
      const bad = [...drawn.runs.entries()].filter(([, run]) => isBad(run));
      for (const [index, run] of bad.slice(-BLAMED))
        score.judgeSuspect(run, await played.readFirstSuspect(index));
    }
    return score;
  }
});
