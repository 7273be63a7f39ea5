import { Habit, TOOLS } from "./habit.ts";
import { RunRecorder } from "./run-recorder.ts";
import type { World, WorldAgent } from "./world.ts";
import type { WorldRandom } from "./world-random.ts";

const CHANCE_PER_CALL = 0.008;

interface Omission {
  tool: string;
  /** Of the runs. */
  share: number;
  /** Whether the tool comes first, or at any turn. */
  isFirst: boolean;
  /** How often `submit` fails without the tool. */
  fails: number;
  message: string;
}

function omission(
  random: WorldRandom,
  { tool: usual, share, isFirst, fails, message }: Omission,
): WorldAgent {
  const habit = new Habit(random);
  return {
    tools: [...TOOLS, usual, "submit"],
    guilty: [`left out ${usual}`],
    run() {
      const run = new RunRecorder(random);
      const turns = habit.turns();
      const isLeftOut = random.chance(share);
      const at = isFirst ? 0 : random.between(0, turns - 1);
      let tool: string | undefined;
      for (let turn = 0; turn < turns; turn += 1) {
        if (turn === at && !isLeftOut) run.call(usual);
        tool = habit.after(tool);
        if (run.failsByChance(tool, CHANCE_PER_CALL)) return run.end("ERROR");
      }
      const isFailed = isLeftOut && random.chance(fails);
      run.call("submit", isFailed ? message : null);
      return isFailed ? run.end("ERROR", { missing: usual }) : run.end("COMPLETED");
    },
  };
}

/** A run fails because a tool was not called. */
export const OMISSIONS: World[] = [
  {
    name: "left out at the start",
    plants: "`authenticate` is left out in 20 % of runs; `submit`, at the end, then fails (80 %)",
    draw: (random) =>
      omission(random, {
        tool: "authenticate",
        share: 0.2,
        isFirst: true,
        fails: 0.8,
        message: "401 unauthorized",
      }),
  },
  {
    name: "left out anywhere",
    plants: "`validate` is called at some turn or, in 30 % of runs, never; `submit` then fails (60 %)",
    draw: (random) =>
      omission(random, {
        tool: "validate",
        share: 0.3,
        isFirst: false,
        fails: 0.6,
        message: "422 not valid",
      }),
  },
];
