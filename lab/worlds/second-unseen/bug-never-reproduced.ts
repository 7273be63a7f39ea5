import { RunRecorder } from "../run-recorder.ts";
import { mix, perhaps } from "../unseen/choices.ts";
import type { World } from "../world.ts";

const ROUNDS = 4;

/*
 * A coding agent plans, edits and runs the tests until they pass, or gives up. If it has not reproduced the bug before, it often
 * repairs the wrong place and goes round to the end.
 * Truth: `reproduce_bug` left out. `edit_file`, `run_tests`, `read_file` and `revise_plan` are frequent in failed runs because these
 * go on longer. No confounder.
 */
export const BUG_NEVER_REPRODUCED: World = {
  name: "second unseen: bug never reproduced",
  plants:
    "without `reproduce_bug` (left out in 35 %) the agent goes round in edits and red tests until it gives up (35-50 %, else 6 %)",
  draw(random) {
    const lost = random.uniform(0.35, 0.5);
    const lostAnyway = 0.06;
    const looks = mix({ grep: 3, read_file: 4, list_dir: 2 });
    return {
      tools: [
        "plan",
        "grep",
        "read_file",
        "list_dir",
        "reproduce_bug",
        "edit_file",
        "run_tests",
        "revise_plan",
        "open_pull_request",
      ],
      guilty: ["left out reproduce_bug"],
      run() {
        const run = new RunRecorder(random);
        run.call("plan");
        for (let left = random.between(1, 2); left > 0; left -= 1) run.call(random.oneOf(looks));
        const reproduce = perhaps(random, "reproduce_bug", 0.65);
        if (reproduce) run.call(reproduce);
        const luck = random.next();
        const isLost = luck < (reproduce ? lostAnyway : lost);
        for (let round = 1; round <= ROUNDS; round += 1) {
          run.call("edit_file");
          const isGreen = random.chance(isLost ? 0.03 : 0.65);
          run.call("run_tests", isGreen ? null : "1 test failed");
          if (isGreen) {
            run.call("open_pull_request");
            return run.end("COMPLETED");
          }
          const reaction = random.oneOf(["revise_plan", "read_file", null, null]);
          if (reaction && round < ROUNDS) run.call(reaction);
        }
        return run.end("ERROR", {
          message: "gave up after 4 rounds",
          missing: isLost && luck >= lostAnyway ? "reproduce_bug" : null,
        });
      },
    };
  },
};
