import { RunRecorder } from "../run-recorder.ts";
import { mix, perhaps } from "../unseen/choices.ts";
import type { World } from "../world.ts";

/*
 * An assistant answers from documents, which it searches, several indexes at once, and reranks. Some questions have no answer there.
 * Who got none mostly asks again in the same session; the agent then recalls its last answer and expands the query more often, which
 * changes nothing.
 * Truth: none. That the question has no answer is not recorded, but that the run before in the session failed is: of the runs that
 * follow a failed one, those with and without `recall_last_answer` fail alike.
 */
export const ASKED_AGAIN: World = {
  name: "second unseen: asked again",
  plants:
    "nothing: questions without an answer (10-14 %) are asked again in the session (recorded); `recall_last_answer` is for second tries",
  draw(random) {
    const unanswerable = random.uniform(0.1, 0.14);
    const indexes = ["search_docs", "search_tickets", "search_wiki"];
    const searches = mix({ search_docs: 4, search_tickets: 3, search_wiki: 2 });
    let session = 0;
    let attempt = 0;
    let hasAnswer = true;
    return {
      tools: ["recall_last_answer", "expand_query", ...indexes, "rerank", "open_source", "answer"],
      guilty: [],
      run() {
        if (attempt === 0) {
          session += 1;
          hasAnswer = !random.chance(unanswerable);
        }
        const isAgain = attempt > 0;
        const run = new RunRecorder(random);
        for (const tool of [
          isAgain ? perhaps(random, "recall_last_answer", 0.6) : null,
          perhaps(random, "expand_query", isAgain ? 0.7 : 0.3),
        ])
          if (tool) run.call(tool);
        for (let left = random.between(1, 3); left > 0; left -= 1) {
          const searched = new Set([random.oneOf(searches), random.oneOf(searches)]);
          run.callAll(
            [...searched].map((tool) => ({ tool, error: random.chance(0.02) ? "index is slow" : null })),
          );
          for (const tool of [perhaps(random, "rerank", 0.6), perhaps(random, "open_source", 0.4)])
            if (tool) run.call(tool);
        }
        run.call("answer");
        const isFailed = random.chance(hasAnswer ? 0.08 : 0.85);
        attempt = isFailed && attempt < 3 && random.chance(0.75) ? attempt + 1 : 0;
        return isFailed
          ? run.end("ERROR", { session: `question ${session}`, message: "no source supports the answer" })
          : run.end("COMPLETED", { session: `question ${session}` });
      },
    };
  },
};
