// Repeatedly kills PostgreSQL with SIGKILL and restarts it under steady requests. Passes if every response is 200 or
// 503, the first 200 comes within 2 s of the restart, and the server process survives.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbeddedPostgres } from "@whytrace/testing/postgres/embedded-postgres.ts";
import { Client } from "@whytrace/testing/server/client.ts";
import { killServer, runTrial, startTrialServer, Tally } from "@whytrace/testing/trial.ts";

const CYCLES = Number(process.argv[2] ?? 10);

await runTrial(async (onCleanup) => {
  const postgres = await startEmbeddedPostgres([]);
  onCleanup(() => postgres.stop());
  const server = await startTrialServer(postgres.url);
  onCleanup(() => killServer(server));
  const user = await new Client(server.url).newUser();
  const statuses = new Tally<number>();
  const recoveriesMs: number[] = [];

  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    const postmaster = Number(
      readFileSync(join(postgres.databaseDir, "postmaster.pid"), "utf8").split("\n")[0],
    );
    let isOver = false;
    const load = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) {
          const { status } = await user.get("/api/auth/session");
          statuses.add(status);
          await sleep(5);
        }
      }),
    );
    await sleep(200);
    process.kill(postmaster, "SIGKILL");
    await sleep(1_000);
    await waitUntilExited(postmaster);
    await postgres.start();
    const restartedAt = performance.now();
    while ((await user.get("/api/auth/session")).status !== 200) await sleep(5);
    recoveriesMs.push(performance.now() - restartedAt);
    isOver = true;
    await load;
  }
  const slowestMs = Math.max(...recoveriesMs);
  console.log(`${CYCLES} cycles; responses ${statuses}; slowest recovery ${slowestMs.toFixed(0)} ms`);
  const isAlive = server.child.exitCode === null && server.child.signalCode === null;
  return isAlive && slowestMs <= 2_000 && statuses.isOnly(200, 503);
});

async function waitUntilExited(pid: number) {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(20);
  }
}
