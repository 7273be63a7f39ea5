import { RunRecorder } from "./run-recorder.ts";
import type { World, WorldAgent } from "./world.ts";
import type { WorldRandom } from "./world-random.ts";

const CHANCE_PER_CALL = 0.006;

/** A cached order may be stale; only the refund, one or two turns later, notices. */
function refunds(random: WorldRandom, ending: "error" | "handled" | "bad score"): WorldAgent {
  const stale = random.uniform(0.3, 0.7);
  return {
    tools: ["get_customer", "lookup_order", "lookup_cache", "check_policy", "issue_refund", "send_email"],
    guilty: ["chose lookup_cache"],
    run() {
      const run = new RunRecorder(random);
      const fails = (tool: string) => run.failsByChance(tool, CHANCE_PER_CALL);
      if (fails("get_customer")) return run.end("ERROR");
      if (random.chance(0.15) && fails("check_policy")) return run.end("ERROR");
      const isCached = random.chance(0.35);
      if (fails(isCached ? "lookup_cache" : "lookup_order")) return run.end("ERROR");
      const culprits = [run.lastTurn];
      if (random.chance(0.7) && fails("check_policy")) return run.end("ERROR");
      if (isCached && random.chance(stale)) {
        const message = ending === "bad score" ? null : "refund rejected: order state is stale";
        run.call("issue_refund", message);
        if (message !== null && random.chance(0.4)) run.call("issue_refund", message);
        if (ending === "error") return run.end("ERROR", { culprits });
        run.call("send_email");
        return run.end("COMPLETED", { culprits, isScoredBad: ending === "bad score" });
      }
      if (fails("issue_refund")) return run.end("ERROR");
      if (random.chance(0.8) && fails("send_email")) return run.end("ERROR");
      return run.end("COMPLETED", { isScoredBad: ending === "bad score" && random.chance(0.03) });
    },
  };
}

export const REFUNDS: World[] = [
  {
    name: "stale cache",
    plants: "a cached order is stale (30-70 %); the refund, which is innocent, notices",
    draw: (random) => refunds(random, "error"),
  },
  {
    name: "stale cache, handled",
    plants: "the same, but the agent handles the error and the run completes",
    lens: "error",
    draw: (random) => refunds(random, "handled"),
  },
  {
    name: "stale cache, bad score",
    plants: "the same without any error: an evaluator scores the run as bad",
    lens: "scored",
    draw: (random) => refunds(random, "bad score"),
  },
];
