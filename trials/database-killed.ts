// Kills PostgreSQL with -9, postmaster and all, under steady requests, and starts it again, many times over. The
// figure: nothing but 200 and 503, first 200 within 2 s of PostgreSQL's return, and the same process at the end.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@whytrace/testing/client.ts";
import { startEmbeddedPostgres } from "@whytrace/testing/postgres.ts";
import { startTrialServer } from "@whytrace/testing/trial.ts";

const CYCLES = Number(process.argv[2] ?? 10);

const postgres = await startEmbeddedPostgres([]);
const server = await startTrialServer(postgres.url);
const user = await new Client(server.url).newUser();
const statuses = new Map<number, number>();
const returnsMs: number[] = [];

for (let cycle = 0; cycle < CYCLES; cycle += 1) {
  const postmaster = Number(
    readFileSync(join(postgres.databaseDir, "postmaster.pid"), "utf8").split("\n")[0],
  );
  let isOver = false;
  const load = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { status } = await user.get("/api/auth/session");
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await sleep(5);
      }
    }),
  );
  await sleep(200);
  process.kill(postmaster, "SIGKILL");
  await sleep(1_000);
  await untilGone(postmaster);
  await postgres.start();
  const back = performance.now();
  while ((await user.get("/api/auth/session")).status !== 200) await sleep(5);
  returnsMs.push(performance.now() - back);
  isOver = true;
  await load;
}
const slowestMs = Math.max(...returnsMs);
console.log(
  `${CYCLES} cycles; answers ${[...statuses].map(([status, n]) => `${status}: ${n}`).join(", ")}; slowest return ${slowestMs.toFixed(0)} ms`,
);
const isAlive = server.child.exitCode === null && server.child.signalCode === null;
server.child.kill("SIGINT");
await postgres.stop();
process.exit(
  isAlive && slowestMs <= 2_000 && [...statuses.keys()].every((status) => status === 200 || status === 503)
    ? 0
    : 1,
);

async function untilGone(pid: number) {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(20);
  }
}
