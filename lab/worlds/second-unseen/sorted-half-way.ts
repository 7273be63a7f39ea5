import { RunRecorder } from "../run-recorder.ts";
import { mix, perhaps, some } from "../unseen/choices.ts";
import type { World } from "../world.ts";

const TURN_LIMIT = 15;

/*
 * A shopping agent looks through one to three pages of results. To sort on the first page is harmless. To sort on a later one often
 * sends the shop back to the first page without a word, and the agent sees the same items until the turn limit.
 * Truth: `sort_results`, if called after `next_page`. `next_page` and `open_item` are frequent in failed runs because these go
 * round. How many pages a task needs is not recorded; it decides how often `next_page` is called, but nothing else.
 */
export const SORTED_HALF_WAY: World = {
  name: "second unseen: sorted half-way",
  plants:
    "`sort_results` after `next_page` resets the paging (50-65 %): the agent goes round until the turn limit; before, it is harmless",
  draw(random) {
    const harm = random.uniform(0.5, 0.65);
    const steps = mix({ open_item: 7, read_reviews: 3, sort_results: 2 });
    return {
      tools: [
        "open_shop",
        "search_shop",
        "sort_results",
        "open_item",
        "read_reviews",
        "next_page",
        "save_list",
      ],
      guilty: ["chose sort_results"],
      alsoTrue: ["left out open_item", "left out read_reviews"],
      run() {
        const run = new RunRecorder(random);
        let culprit = -1;
        /** Whether the page reached the turn limit, which only a run that goes round does. */
        const readPage = (isFirst: boolean): boolean => {
          for (let left = random.between(1, 3); left > 0; left -= 1) {
            if (run.turns.length >= TURN_LIMIT) return true;
            const tool = random.oneOf(steps);
            run.call(tool, random.chance(0.02) ? "element is not clickable" : null);
            if (tool === "sort_results" && !isFirst && culprit < 0 && random.chance(harm))
              culprit = run.lastTurn;
          }
          return run.turns.length >= TURN_LIMIT;
        };
        run.call("open_shop");
        run.call("search_shop");
        const sort = perhaps(random, "sort_results", 0.35);
        if (sort) run.call(sort);
        readPage(true);
        for (let pages = random.between(0, 2); pages > 0 || culprit >= 0; pages -= 1) {
          run.call("next_page");
          if (readPage(false))
            return run.end("ERROR", { message: "turn limit reached", culprits: some(culprit) });
        }
        if (random.chance(0.06)) return run.end("ERROR", { message: "nothing fits the wish" });
        run.call("save_list");
        return run.end("COMPLETED");
      },
    };
  },
};
