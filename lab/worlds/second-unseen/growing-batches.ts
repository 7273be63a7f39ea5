import { RunRecorder } from "../run-recorder.ts";
import { perhaps } from "../unseen/choices.ts";
import type { World } from "../world.ts";

const WEEKS = 16;

/*
 * Every week an agent loads the files of all branches. The volume grows from week to week and jumps at the end of a month. The more
 * there is, the busier the warehouse, whatever the agent does; and the more often it splits files and samples them, as it is told to.
 * The third refusal by the warehouse ends a run.
 * Truth: none. The volume is the same for all runs of a week and follows from the time; the week's batch is recorded as session.
 */
export const GROWING_BATCHES: World = {
  name: "second unseen: growing batches",
  plants:
    "nothing: weekly batches (recorded) grow and jump each fourth week; all their runs fail more and use `split_file`, `sample_rows` more",
  draw(random) {
    const growth = random.uniform(0.25, 0.4);
    const jump = random.uniform(0.1, 0.2);
    return {
      tools: [
        "list_files",
        "load_file",
        "split_file",
        "sample_rows",
        "dedupe",
        "convert_currency",
        "merge",
        "wait_for_slot",
        "publish",
      ],
      guilty: [],
      run(index, of) {
        const run = new RunRecorder(random);
        const week = Math.floor((index / of) * WEEKS);
        const session = `batch of week ${week + 1}`;
        const volume = 0.3 + (growth * week) / WEEKS + (week % 4 === 3 ? jump : 0);
        const care = Math.min(0.9, 0.1 + 1.6 * (volume - 0.3));
        run.call("list_files");
        for (let files = random.between(1, 3); files > 0; files -= 1) {
          const tool = perhaps(random, "split_file", care) ?? "load_file";
          run.call(tool, random.chance(0.03) ? "connection reset" : null);
        }
        for (const tool of [
          perhaps(random, "sample_rows", care),
          perhaps(random, "dedupe", 0.5),
          perhaps(random, "convert_currency", 0.4),
        ])
          if (tool) run.call(tool);
        for (let refusals = 0; random.chance(volume); ) {
          run.call("merge", "warehouse is busy");
          refusals += 1;
          if (refusals === 3) return run.end("ERROR", { session });
          const reaction = perhaps(random, "wait_for_slot", 0.5);
          if (reaction) run.call(reaction);
        }
        run.call("merge");
        run.call("publish");
        return run.end("COMPLETED", { session });
      },
    };
  },
};
