import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "@whytrace/testing/server-process.ts";
import { spanOverhead } from "@whytrace/testing/span-overhead.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  select,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { init, startTrace, stats } from "../sdk/src/index.ts";

/*
 * The server is killed for 60 s while an agent goes on recording with the SDK as it is shipped. Once at a rate that
 * fits the queue: everything must arrive. Once far above it: memory stays bounded, what was dropped is counted, the
 * rest arrives. In both the agent's own code neither throws nor waits.
 */

const OUTAGE_MS = Number(process.argv[2] ?? 60) * 1_000;
const SPANS_A_TRACE = 10;
const OVERHEAD_MAX_MS = 0.1;
const RETURN_MAX_MS = 45_000;

await runTrial(async (cleanUp) => {
  const database = await createTrialDatabase();
  cleanUp(() => database.drop());
  let server: ServerProcess = await startTrialServer(database.url);
  cleanUp(() => killServer(server));
  const { url } = server;
  const { key, user } = await newTenant(url, database.url, LARGE_PLAN);
  let isReached = true;

  for (const tracesPerSecond of [12, 100]) {
    let thrown = 0;
    init({ url, apiKey: key, exitHooks: false, onError: () => {} });
    const before = Number((await select<{ n: string }>(database.url, countOf(user.id)))[0]?.n);
    global.gc?.();
    const heapBefore = process.memoryUsage().heapUsed;
    const loop = monitorEventLoopDelay({ resolution: 5 });
    loop.enable();

    await killServer(server);
    const overheads: number[] = [];
    let [recorded, heapMax] = [0, 0];
    const end = Date.now() + OUTAGE_MS;
    while (Date.now() < end) {
      try {
        const t = startTrace("outage", { metadata: { number: recorded } });
        for (let span = 0; span < SPANS_A_TRACE; span++) overheads.push(spanOverhead(t));
        t.end();
      } catch {
        thrown++;
      }
      recorded++;
      heapMax = Math.max(heapMax, process.memoryUsage().heapUsed);
      await sleep(1_000 / tracesPerSecond);
    }

    const atEnd = stats();
    server = await startTrialServer(database.url, { PORT: new URL(url).port });
    const back = Date.now();
    while (stats().queued > 0 && Date.now() - back < RETURN_MAX_MS) await sleep(50);
    const tookMs = Date.now() - back;
    loop.disable();
    const { sent, dropped, queued } = stats();
    const stored = Number((await select<{ n: string }>(database.url, countOf(user.id)))[0]?.n) - before;
    overheads.sort((a, b) => a - b);
    const at = (part: number) => (overheads[Math.floor(overheads.length * part)] ?? 0).toFixed(4);
    const fits = recorded <= 1_000;
    console.log(
      `${tracesPerSecond} traces/s: ${recorded} traces, ${overheads.length} spans during ${OUTAGE_MS / 1_000} s; ` +
        `${thrown} thrown; a span p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; queued at the end ${atEnd.queued}, ` +
        `dropped ${dropped}, sent ${sent}, stored ${stored}; all there ${tookMs} ms after the return; ` +
        `heap +${((heapMax - heapBefore) / 2 ** 20).toFixed(0)} MiB at most; longest stall ${(loop.max / 1e6).toFixed(0)} ms`,
    );
    isReached &&=
      thrown === 0 &&
      Number(at(0.99)) < OVERHEAD_MAX_MS &&
      queued === 0 &&
      stored === sent &&
      sent + dropped === recorded &&
      (fits ? dropped === 0 : sent === 1_000);
  }
  return isReached;
});

function countOf(userId: string): string {
  return `select count(*) as n from traces where user_id = '${userId}'`;
}
