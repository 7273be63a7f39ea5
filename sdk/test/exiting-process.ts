import { setTimeout as sleep } from "node:timers/promises";
import { event, init, span, startTrace, trace } from "../src/index.ts";

/* A process that ends in the way that its first argument names. The parent chooses the ids of its traces. */

const [, , how = "", finished = "", open = ""] = process.argv;
init({ exitHooks: how !== "no hooks" });

await trace("finished", { id: finished }, () => span("work", () => "done"));

if (how === "idle" || how === "no hooks") {
  // The event loop is empty, so the process ends.
} else if (how === "listener") {
  process.on("SIGTERM", () => setTimeout(() => process.exit(7), 20));
  setInterval(() => {}, 1_000);
  console.log("ready");
} else {
  const t = startTrace("open", { id: open });
  t.span("under way");
  t.event("begun");
  if (how === "exit") process.exit(3);
  if (how === "uncaught")
    setTimeout(() => {
      throw new RangeError("nobody caught me");
    }, 5);
  if (how === "rejection") void Promise.reject(new RangeError("nobody caught me"));
  setInterval(() => {}, 1_000);
  await sleep(1);
  event("outside");
  console.log("ready");
}
