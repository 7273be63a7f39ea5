import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerProcess } from "@whytrace/testing/server/server-process.ts";
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
import { init, startTrace, stats } from "../../../packages/sdk/src/index.ts";

/*
 * Kills the server for 60 s while an agent records traces with the SDK. At a rate that fits the queue, every trace must
 * arrive. At a rate far above it, memory stays bounded, the SDK counts the dropped traces, and the rest arrives. In both
 * cases the SDK neither throws nor blocks the agent.
 */

const OUTAGE_MS = Number(process.argv[2] ?? 60) * 1_000;
const SPANS_PER_TRACE = 10;
const MAX_OVERHEAD_MS = 0.1;
const MAX_RECOVERY_MS = 45_000;

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  let server: ServerProcess = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const { url } = server;
  const { key, user } = await newTenant(url, database.url, LARGE_PLAN);
  let hasPassed = true;

  for (const tracesPerSecond of [12, 100]) {
    let thrown = 0;
    init({ url, apiKey: key, exitHooks: false, onError: () => {} });
    const before = Number(
      (await select<{ n: string }>(database.url, countTracesSql(user.workspaceId)))[0]?.n,
    );
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
        for (let span = 0; span < SPANS_PER_TRACE; span++) overheads.push(spanOverhead(t));
        t.end();
      } catch {
        thrown++;
      }
      recorded++;
      heapMax = Math.max(heapMax, process.memoryUsage().heapUsed);
      await sleep(1_000 / tracesPerSecond);
    }

    const beforeRestart = stats();
    server = await startTrialServer(database.url, { PORT: new URL(url).port });
    const restartedAt = Date.now();
    while (stats().queued > 0 && Date.now() - restartedAt < MAX_RECOVERY_MS) await sleep(50);
    const recoveryMs = Date.now() - restartedAt;
    loop.disable();
    const { sent, dropped, queued } = stats();
    const stored =
      Number((await select<{ n: string }>(database.url, countTracesSql(user.workspaceId)))[0]?.n) - before;
    overheads.sort((a, b) => a - b);
    const quantile = (fraction: number) =>
      (overheads[Math.floor(overheads.length * fraction)] ?? 0).toFixed(4);
    const fitsQueue = recorded <= 1_000;
    console.log(
      `${tracesPerSecond} traces/s: ${recorded} traces, ${overheads.length} spans during ${OUTAGE_MS / 1_000} s; ` +
        `${thrown} thrown; overhead of a span p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms; queued before the restart ${beforeRestart.queued}, ` +
        `dropped ${dropped}, sent ${sent}, stored ${stored}; delivered ${recoveryMs} ms after the restart; ` +
        `heap +${((heapMax - heapBefore) / 2 ** 20).toFixed(0)} MiB maximum; longest event loop delay ${(loop.max / 1e6).toFixed(0)} ms`,
    );
    hasPassed &&=
      thrown === 0 &&
      Number(quantile(0.99)) < MAX_OVERHEAD_MS &&
      queued === 0 &&
      stored === sent &&
      sent + dropped === recorded &&
      (fitsQueue ? dropped === 0 : sent === 1_000);
  }
  return hasPassed;
});

function countTracesSql(workspaceId: string): string {
  return `select count(*) as n from traces where workspace_id = '${workspaceId}'`;
}
