// Writers send traces by JSON and by OpenTelemetry in pieces, and scores in any order: before and after their traces, repeated, late,
// moved to another trace, deleted; traces are sent again and deleted, and what counts as bad changes meanwhile. The servers are killed
// with SIGKILL again and again. Passes if in the end every score that was sent and not deleted is there once, every run has the outcome
// that its last state and the last definition give it, and lists and Why count these outcomes.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Random } from "@whytrace/demo";
import { freePort } from "@whytrace/testing/free-port.ts";
import type { ServerProcess } from "@whytrace/testing/server/server-process.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { SCORED_AGENT, ScoreLoad } from "../support/load/score-load.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1,2,3,4" },
    kills: { type: "string", default: "20" },
    writers: { type: "string", default: "6" },
  },
});
const KILLS = Number(values.kills);
const WRITERS = Number(values.writers);
const SERVERS = 2;
const SETTLED_WITHIN_MS = 120_000;

await runTrial(async (onCleanup) => {
  let hasPassed = true;
  for (const seed of values.seeds.split(",").map(Number)) {
    const database = await createTrialDatabase();
    onCleanup(() => database.drop());
    const env: Record<string, string>[] = [];
    for (let number = 0; number < SERVERS; number += 1)
      env.push({ PORT: String(await freePort()), FREE_SESSIONS_PER_DAY: "unlimited" });
    const servers: ServerProcess[] = [];
    const stop = () => Promise.all(servers.map(killServer));
    onCleanup(stop);
    for (const one of env) servers.push(await startTrialServer(database.url, one));
    const urls = servers.map(({ url }) => url);
    const tenant = await newTenant(urls[0] ?? "", database.url, LARGE_PLAN);
    const load = new ScoreLoad(urls, tenant);
    let isOver = false;
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      load.write(writer, new Random(seed * 1_000 + writer), () => isOver),
    );
    const all = Promise.all(writers);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await load.waitForAnswer();
      await sleep(randomInt(50, 1_000));
      const killed = kill % SERVERS;
      const server = servers[killed];
      if (server) await killServer(server);
      servers[killed] = await startTrialServer(database.url, env[killed]);
    }
    isOver = true;
    await all;
    const violations = await settle(load);
    console.log(
      `seed ${seed}: ${KILLS} kills, ${load}; of agent ${SCORED_AGENT}: ${violations.length} violations${violations
        .slice(0, 10)
        .map((one) => `\n  ${one}`)
        .join("")}`,
    );
    const isExpected = load.answers.isOnly(200, 204, 404, 409, 503, "connection lost", "refused");
    if (violations.length > 0 || !isExpected) hasPassed = false;
    await stop();
  }
  return hasPassed;
});

/** Waiting scores, and runs that a new definition has to judge, count a little later. */
async function settle(load: ScoreLoad): Promise<string[]> {
  const since = performance.now();
  for (;;) {
    const violations = await load.check();
    if (violations.length === 0 || performance.now() - since > SETTLED_WITHIN_MS) return violations;
    await sleep(1_000);
  }
}
