import { Habit, TOOLS } from "./habit.ts";
import { RunRecorder } from "./run-recorder.ts";
import type { World, WorldAgent } from "./world.ts";
import type { WorldRandom } from "./world-random.ts";

/** Tools come in a usual order, each once or a few times; `chanceAt` says how often a call fails. */
function orderedLoop(
  random: WorldRandom,
  chanceAt: (turn: number) => number,
  finalChance?: number,
): WorldAgent {
  const disorder = random.oneOf([0, 0.1, 0.3]);
  const phases = finalChance === undefined ? TOOLS : TOOLS.slice(0, -1);
  return {
    tools: TOOLS,
    guilty: [],
    run() {
      const run = new RunRecorder(random);
      for (let phase = 0; phase < phases.length; phase += random.chance(0.65) ? 1 : 0) {
        const tool = random.chance(disorder) ? random.oneOf(TOOLS) : (phases[phase] ?? "");
        if (run.failsByChance(tool, chanceAt(run.turns.length))) return run.end("ERROR");
      }
      if (finalChance === undefined) return run.end("COMPLETED");
      return run.end(run.failsByChance("send_mail", finalChance) ? "ERROR" : "COMPLETED");
    },
  };
}

/** Nothing is planted in any of them. */
export const ORDERED_LOOPS: World[] = [
  {
    name: "usual order",
    plants: "nothing: tools come in a usual order, each call fails alike (3 %)",
    draw: (random) => orderedLoop(random, () => 0.03),
  },
  {
    name: "usual order, final check",
    plants:
      "nothing: tools come in a usual order, each call fails alike (2 %), and a check at the end does (12 %)",
    draw: (random) => orderedLoop(random, () => 0.02, 0.12),
  },
  {
    name: "usual order, rising risk",
    plants: "nothing: tools come in a usual order; later calls fail more, whatever the tool (0.6 % a turn)",
    draw: (random) => orderedLoop(random, (turn) => 0.006 * turn),
  },
  {
    name: "chance",
    plants: "nothing: a loop with habits, each call fails alike (2-5 %)",
    draw(random) {
      const habit = new Habit(random);
      const chance = random.uniform(0.02, 0.05);
      return {
        tools: TOOLS,
        guilty: [],
        run() {
          const run = new RunRecorder(random);
          let tool: string | undefined;
          for (let turns = habit.turns(); turns > 0; turns -= 1) {
            tool = habit.after(tool);
            if (run.failsByChance(tool, chance)) return run.end("ERROR");
          }
          return run.end("COMPLETED");
        },
      };
    },
  },
];
