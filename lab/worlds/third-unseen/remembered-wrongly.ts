import { RunRecorder } from "../run-recorder.ts";
import { mix, some } from "../unseen/choices.ts";
import type { World } from "../world.ts";
import { OpenSessions } from "./open-sessions.ts";

/*
 * A shopping assistant may keep facts about its user (`save_memory`) and read them in later runs of the session (`recall_memory`). Now
 * and then it keeps something wrong. From then on recommendations that rest on the memory are scored as bad; those for which it asks
 * the user, or neither, are as good as ever.
 * Truth: `recall_memory`, only in some sessions and only after a while. In its own run `save_memory` does no harm.
 */
export const REMEMBERED_WRONGLY: World = {
  name: "third unseen: remembered wrongly",
  plants:
    "once a session has saved a wrong fact (a quarter of `save_memory`), `recall_memory` in its later runs makes a bad score (50-65 %); without it they are as good as ever; scores only",
  lens: "scored",
  draw(random) {
    const harm = random.uniform(0.5, 0.65);
    const starts = mix({ recall_memory: 9, ask_preferences: 5, list_offers: 6 });
    const works = mix({ search_items: 4, compare_items: 3, read_reviews: 3 });
    const sessions = new OpenSessions(random, 5, [4, 16], () => ({ isMemoryWrong: false }));
    return {
      tools: [
        "recall_memory",
        "ask_preferences",
        "list_offers",
        "search_items",
        "compare_items",
        "read_reviews",
        "recommend",
        "save_memory",
      ],
      guilty: ["chose recall_memory"],
      alsoTrue: ["left out ask_preferences"],
      run() {
        const { name, user } = sessions.next();
        const run = new RunRecorder(random);
        const start = random.oneOf(starts);
        run.call(start);
        const isMisled = start === "recall_memory" && user.isMemoryWrong && random.chance(harm);
        const culprit = isMisled ? run.lastTurn : -1;
        for (let left = random.between(1, 4); left > 0; left -= 1)
          run.call(random.oneOf(works), random.chance(0.03) ? "shop is slow" : null);
        run.call("recommend");
        if (random.chance(0.35)) {
          run.call("save_memory");
          if (random.chance(0.25)) user.isMemoryWrong = true;
        }
        const isScoredBad = isMisled || random.chance(0.07);
        return run.end("COMPLETED", { session: name, isScoredBad, culprits: some(culprit) });
      },
    };
  },
};
