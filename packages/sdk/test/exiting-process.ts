import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { onExit } from "signal-exit";
import { event, init, score, span, startTrace, trace } from "../src/index.ts";
import { TUNING } from "../src/tuning.ts";

/*
 * A process that ends in the way that its first argument names. The parent chooses the ids of its traces, and how long the
 * process may send them before it ends.
 */

const [, , how = "", finished = "", open = "", flushTimeoutMs] = process.argv;
if (flushTimeoutMs) TUNING.flushTimeoutMs = Number(flushTimeoutMs);
// A trace is sent while it runs only because of a signal, not because the process takes long.
TUNING.firstSnapshotMs = 600_000;
if (how === "signal-exit first") onExit(() => console.log("signal-exit ran"));
init({ exitHooks: how !== "no hooks" });

await trace("finished", { id: finished }, () => {
  score("finished", true);
  return span("work", () => "done");
});
const stayAlive = () => setInterval(() => {}, 1_000);

if (how === "idle" || how === "no hooks") {
  console.log("ready");
  // The event loop is empty, so the process ends.
} else if (how === "listener") {
  process.on("SIGTERM", () => setTimeout(() => process.exit(7), 20));
  stayAlive();
  console.log("ready");
} else if (how.startsWith("drain")) {
  const work = stayAlive();
  const t = startTrace("draining", { id: open });
  process[how.includes("once") ? "once" : "on"]("SIGTERM", async () => {
    console.log("draining");
    // The parent says when the work is done.
    await once(process, "SIGUSR2");
    t.end();
    clearInterval(work);
    if (how.includes("exit")) process.exit(0);
  });
  console.log("ready");
} else {
  const t = startTrace("open", { id: open });
  t.span("under way");
  t.event("begun");
  t.score("begun", true);
  if (how === "exit") process.exit(3);
  if (how === "uncaught")
    setTimeout(() => {
      throw new RangeError("nobody caught me");
    }, 5);
  if (how === "rejection") void Promise.reject(new RangeError("nobody caught me"));
  if (how === "signal-exit last") onExit(() => console.log("signal-exit ran"));
  if (how === "init twice") {
    init({ debug: true });
    startTrace("of the second client");
  }
  stayAlive();
  await sleep(1);
  event("outside");
  console.log("ready");
}
