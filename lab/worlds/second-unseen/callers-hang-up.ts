import { RunRecorder } from "../run-recorder.ts";
import { mix, perhaps } from "../unseen/choices.ts";
import type { World } from "../world.ts";

/*
 * A voice agent answers calls from a queue. Callers who have waited long often hang up somewhere in the call, whatever the agent says
 * and however long it takes. To these the agent apologises and offers a callback, as it is told to. A call that is hung up lacks
 * the late tools; some are never closed.
 * Truth: none. The confounder (time in the queue) is recorded as situation.
 */
export const CALLERS_HANG_UP: World = {
  name: "second unseen: callers hang up",
  plants:
    "nothing: after a long wait (recorded) callers hang up at any turn; `apologise` and `offer_callback` are for these callers",
  draw(random) {
    const waits: Record<string, { hangsUp: number; apologises: number; offers: number }> = {
      "wait=short": { hangsUp: 0.05, apologises: 0.05, offers: 0.1 },
      "wait=medium": { hangsUp: 0.16, apologises: 0.4, offers: 0.3 },
      "wait=long": { hangsUp: random.uniform(0.35, 0.5), apologises: 0.8, offers: 0.65 },
    };
    const shares = mix({ "wait=short": 5, "wait=medium": 3, "wait=long": random.between(2, 3) });
    const steps = mix({ ask_concern: 3, look_up_order: 3, read_out_status: 3, check_stock: 2 });
    return {
      tools: [
        "greet",
        "apologise",
        "offer_callback",
        "verify_caller",
        "ask_concern",
        "look_up_order",
        "read_out_status",
        "check_stock",
        "change_order",
        "say_goodbye",
      ],
      guilty: [],
      run() {
        const run = new RunRecorder(random);
        const situation = random.oneOf(shares);
        const wait = waits[situation];
        if (!wait) throw new Error(situation);
        const calls = [
          "greet",
          perhaps(random, "apologise", wait.apologises),
          perhaps(random, "offer_callback", wait.offers),
          "verify_caller",
          ...Array.from({ length: random.between(1, 5) }, () => random.oneOf(steps)),
          perhaps(random, "change_order", 0.4),
          "say_goodbye",
        ].filter((tool) => tool !== null);
        const isHungUp = random.chance(wait.hangsUp);
        const heard = isHungUp ? calls.slice(0, random.between(2, calls.length - 1)) : calls;
        for (const tool of heard) run.call(tool, random.chance(0.02) ? "speech was not understood" : null);
        if (!isHungUp) return run.end("COMPLETED", { situation });
        return random.chance(0.25)
          ? run.end("RUNNING", { situation })
          : run.end("ERROR", { situation, message: "caller hung up" });
      },
    };
  },
};
