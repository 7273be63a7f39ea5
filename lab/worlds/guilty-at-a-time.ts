import { RunRecorder } from "./run-recorder.ts";
import type { World } from "./world.ts";
import { worldTimeMs } from "./world-time.ts";

const NIGHT_HOURS = 5;

/** An agent that answers by one of two tools. One of them is guilty and belongs mostly to a time at which more goes wrong anyway. */
function guiltyWhile(isItsTime: (index: number, of: number) => boolean): World["draw"] {
  return (random) => {
    const harm = random.uniform(0.25, 0.35);
    return {
      tools: ["next_task", "fetch_item", "bulk_fetch", "translate_text", "write_catalogue"],
      guilty: ["chose bulk_fetch"],
      run(index, of) {
        const isTime = isItsTime(index, of);
        const run = new RunRecorder(random);
        run.call("next_task");
        const tool = random.chance(isTime ? 0.7 : 0.1) ? "bulk_fetch" : "fetch_item";
        const isHarmed = tool === "bulk_fetch" && random.chance(harm);
        run.call(tool, isHarmed ? "too many items" : null);
        if (isHarmed) return run.end("ERROR", { culprits: [run.lastTurn] });
        if (random.chance(0.5)) run.call("translate_text");
        return run.end(run.failsByChance("write_catalogue", isTime ? 0.15 : 0.04) ? "ERROR" : "COMPLETED");
      },
    };
  };
}

/** What goes wrong at a time is not held against what is chosen then; what does harm at that time still has to be found. */
export const GUILTY_AT_A_TIME: World[] = [
  {
    name: "guilty at night",
    plants:
      "a tool that is called mostly in five hours of the night fails in 25-35 %; all else fails more often then, too",
    draw: guiltyWhile((index, of) => new Date(worldTimeMs(index, of)).getUTCHours() < NIGHT_HOURS),
  },
  {
    name: "guilty in an incident",
    plants: "a tool that is called mostly in four days fails in 25-35 %; all else fails more often then, too",
    draw: guiltyWhile((index, of) => index / of > 0.6 && index / of < 0.75),
  },
];
