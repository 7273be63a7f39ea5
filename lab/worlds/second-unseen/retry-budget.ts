import { RunRecorder } from "../run-recorder.ts";
import { mix, perhaps } from "../unseen/choices.ts";
import type { World } from "../world.ts";

/*
 * A price monitor fetches pages plainly, from a feed or rendered in a browser. Two time-outs of a run are tried again, the third
 * ends it, whichever call it hits. Rendering times out often, the others seldom.
 * Truth: `fetch_rendered`. `back_off` comes after a time-out and changes nothing; `fetch_plain` and `fetch_feed` sometimes carry the
 * last time-out of a budget that `fetch_rendered` has spent. No confounder.
 */
export const RETRY_BUDGET: World = {
  name: "second unseen: retry budget",
  plants:
    "`fetch_rendered` times out (30-40 %, others 6 %) and spends the two retries of a run; any call may carry the last time-out",
  draw(random) {
    const timeouts = random.uniform(0.3, 0.4);
    const fetches = mix({ fetch_plain: 4, fetch_feed: 2, fetch_rendered: 4 });
    return {
      tools: [
        "load_watchlist",
        "fetch_plain",
        "fetch_feed",
        "fetch_rendered",
        "back_off",
        "parse_price",
        "write_report",
      ],
      guilty: ["chose fetch_rendered"],
      alsoTrue: ["left out fetch_plain", "left out fetch_feed"],
      run() {
        const run = new RunRecorder(random);
        run.call("load_watchlist");
        const rendered: number[] = [];
        let spent = 0;
        for (let items = random.between(2, 5); items > 0; items -= 1) {
          const tool = random.oneOf(fetches);
          while (random.chance(tool === "fetch_rendered" ? timeouts : 0.06)) {
            run.call(tool, "request timed out");
            if (tool === "fetch_rendered") rendered.push(run.lastTurn);
            spent += 1;
            if (spent === 3)
              return run.end("ERROR", { message: "retry budget is spent", culprits: rendered });
            const reaction = perhaps(random, "back_off", 0.5);
            if (reaction) run.call(reaction);
          }
          run.call(tool);
          const parse = perhaps(random, "parse_price", 0.6);
          if (parse) run.call(parse);
          if (random.chance(0.006)) return run.end("ERROR", { message: "out of memory" });
        }
        run.call("write_report");
        return run.end("COMPLETED");
      },
    };
  },
};
