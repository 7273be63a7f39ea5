import { RunRecorder } from "../run-recorder.ts";
import { mix, perhaps } from "../unseen/choices.ts";
import type { World } from "../world.ts";

const TOKEN_BUDGET = 100;

/*
 * A contract reader has a budget of tokens. In a long document each turn takes more of it, whichever tool is called, and the run is
 * stopped when nothing is left. At two thirds of the budget the agent may compress its notes, which frees as much as it takes.
 * Truth: none. The size of the document is recorded as situation; what is spent follows from it and the number of turns. How many
 * questions a task has is not recorded, but does not decide what is called.
 */
export const SPENT_ON_LONG_DOCUMENTS: World = {
  name: "second unseen: spent on long documents",
  plants:
    "nothing: long documents (recorded) spend the token budget at any call; `compress_notes` comes at two thirds of it and changes nothing",
  draw(random) {
    const sizes: Record<string, { tokens: number; steps: string[] }> = {
      "document=short": {
        tokens: 5,
        steps: mix({ read_section: 2, search_document: 4, quote: 3, look_up_term: 2 }),
      },
      "document=medium": {
        tokens: random.uniform(8, 8.8),
        steps: mix({ read_section: 3, search_document: 3, quote: 3, look_up_term: 2 }),
      },
      "document=long": {
        tokens: random.uniform(10, 11.5),
        steps: mix({ read_section: 6, search_document: 2, quote: 2, look_up_term: 2 }),
      },
    };
    return {
      tools: [
        "open_document",
        "read_section",
        "search_document",
        "quote",
        "look_up_term",
        "compress_notes",
        "write_memo",
      ],
      guilty: [],
      run() {
        const run = new RunRecorder(random);
        const situation = random.oneOf(["document=short", "document=medium", "document=long"]);
        const size = sizes[situation];
        if (!size) throw new Error(situation);
        run.call("open_document");
        let spent = size.tokens;
        let hasDecided = false;
        for (let left = random.between(3, 11); left > 0; left -= 1) {
          run.call(random.oneOf(size.steps), random.chance(0.02) ? "page could not be read" : null);
          spent += size.tokens * random.uniform(0.9, 1.1);
          if (spent > TOKEN_BUDGET || random.chance(0.004))
            return run.end("ERROR", {
              situation,
              message: spent > TOKEN_BUDGET ? "token budget is spent" : "model is overloaded",
            });
          if (spent < TOKEN_BUDGET * 0.66 || hasDecided) continue;
          hasDecided = true;
          const compress = perhaps(random, "compress_notes", 0.6);
          if (compress) run.call(compress);
        }
        run.call("write_memo");
        return run.end("COMPLETED", { situation });
      },
    };
  },
};
