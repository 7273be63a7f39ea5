import { RunRecorder } from "../run-recorder.ts";
import { mix, perhaps, some } from "../unseen/choices.ts";
import type { World } from "../world.ts";

/*
 * A data analyst writes SQL. Syntax errors are frequent and repaired at once. A third of the queries finds no rows; then the agent
 * checks how values are written, asks the user, or relaxes the filter, which counts rows that do not belong there. The run completes
 * and a reviewer scores the answer as wrong.
 * Truth: `relax_filter`, although it is called only after an error. The empty result and the syntax errors are harmless.
 */
export const RELAXED_FILTER: World = {
  name: "second unseen: relaxed filter",
  plants:
    "after an empty result (35 %, harmless) `relax_filter` gives a wrong number (35-50 %), `check_values` and `ask_user` do not; scores only",
  lens: "scored",
  draw(random) {
    const harm = random.uniform(0.35, 0.5);
    const reactions = mix({ relax_filter: 4, check_values: 3, ask_user: 2 });
    const steps = mix({ plot: 2, pivot: 2, compare_periods: 1 });
    return {
      tools: [
        "list_tables",
        "describe_table",
        "run_query",
        "relax_filter",
        "check_values",
        "ask_user",
        "plot",
        "pivot",
        "compare_periods",
        "answer",
      ],
      guilty: ["chose relax_filter"],
      alsoTrue: ["left out check_values", "left out ask_user"],
      run() {
        const run = new RunRecorder(random);
        run.call("list_tables");
        for (let left = random.between(1, 2); left > 0; left -= 1) {
          const describe = perhaps(random, "describe_table", 0.7);
          if (describe) run.call(describe);
        }
        while (random.chance(0.25)) run.call("run_query", "syntax error at or near");
        let culprit = -1;
        if (random.chance(0.35)) {
          run.call("run_query", "query returned 0 rows");
          const reaction = random.oneOf(reactions);
          run.call(reaction);
          if (reaction === "relax_filter" && random.chance(harm)) culprit = run.lastTurn;
        }
        run.call("run_query");
        for (let left = random.between(0, 3); left > 0; left -= 1) run.call(random.oneOf(steps));
        if (random.chance(0.02)) return run.end("ERROR", { message: "warehouse is suspended" });
        run.call("answer");
        const isWrong = culprit >= 0 || random.chance(0.07);
        const isScoredBad = isWrong && random.chance(0.8);
        return run.end("COMPLETED", { isScoredBad, culprits: isScoredBad ? some(culprit) : [] });
      },
    };
  },
};
