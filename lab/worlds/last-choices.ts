import { RunRecorder } from "./run-recorder.ts";
import type { World } from "./world.ts";
import type { WorldRandom } from "./world-random.ts";

/** Looks something up, one to three times. The last turn has an error in the given share of runs. */
function prepare(random: WorldRandom, errors = 0): { run: RunRecorder; isFailed: boolean } {
  const run = new RunRecorder(random);
  run.call("understand");
  for (let left = random.between(1, 3); left > 1; left -= 1) run.call(random.oneOf(["search", "lookup"]));
  const isFailed = random.chance(errors);
  run.call("check", isFailed ? "nothing found" : null);
  return { run, isFailed };
}

/** Agents whose last step is a choice. One of its options ends runs well nearly always. */
export const LAST_CHOICES: World[] = [
  {
    name: "last choice",
    plants:
      "the last step is `small_model`, whose answer is wrong in 30-45 %, or `large_model`, which is wrong in 0.5 %",
    lens: "scored",
    draw(random) {
      const harm = random.uniform(0.3, 0.45);
      return {
        tools: ["understand", "search", "lookup", "check", "small_model", "large_model"],
        guilty: ["chose small_model"],
        alsoTrue: ["left out large_model"],
        run() {
          const { run } = prepare(random);
          const model = random.oneOf(["small_model", "large_model"]);
          run.call(model);
          const isHarmed = model === "small_model" && random.chance(harm);
          return run.end("COMPLETED", {
            isScoredBad: isHarmed || random.chance(0.005),
            culprits: isHarmed ? [run.lastTurn] : [],
          });
        },
      };
    },
  },
  {
    name: "last step by task",
    plants:
      "nothing: posts end with `publish` and are good, reports end with `archive` and are bad in 20-40 %; the task is recorded",
    lens: "scored",
    draw(random) {
      const share = random.uniform(0.2, 0.4);
      return {
        tools: ["understand", "search", "lookup", "check", "publish", "archive"],
        guilty: [],
        run() {
          const { run } = prepare(random);
          const isPost = random.chance(0.5);
          run.call(isPost ? "publish" : "archive");
          return run.end("COMPLETED", {
            situation: isPost ? "task=post" : "task=report",
            isScoredBad: random.chance(isPost ? 0.003 : share),
          });
        },
      };
    },
  },
  {
    name: "hands over when stuck",
    plants:
      "nothing: after an error the agent ends with `hand_over`, which is bad in 40-60 %, else with `publish`",
    lens: "scored",
    draw(random) {
      const share = random.uniform(0.4, 0.6);
      return {
        tools: ["understand", "search", "lookup", "check", "publish", "hand_over"],
        guilty: [],
        run() {
          const { run, isFailed } = prepare(random, 0.3);
          run.call(isFailed ? "hand_over" : "publish");
          return run.end("COMPLETED", { isScoredBad: random.chance(isFailed ? share : 0.003) });
        },
      };
    },
  },
];
