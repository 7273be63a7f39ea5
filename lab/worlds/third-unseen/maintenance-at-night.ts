import { RunRecorder } from "../run-recorder.ts";
import type { World } from "../world.ts";
import { WORLD_DAYS } from "../world-time.ts";

/*
 * An agent keeps a catalogue. In the first five hours of each day the supplier maintains its systems, and many runs fail, whatever they
 * do. At this time the agent mostly works off the queue, with `bulk_fetch` and without images; by day it answers single requests with
 * `fetch_item`.
 * Truth: none. Only the hour of the day tells.
 */
export const MAINTENANCE_AT_NIGHT: World = {
  name: "third unseen: maintenance at night",
  plants:
    "nothing: in five hours of each night (seen only in the time) runs fail in 35-45 %, by day in 8 %; `bulk_fetch` and `skip_images` are for the night",
  draw(random) {
    const atNight = random.uniform(0.35, 0.45);
    return {
      tools: [
        "next_task",
        "fetch_item",
        "bulk_fetch",
        "skip_images",
        "translate_text",
        "fix_units",
        "write_catalogue",
      ],
      guilty: [],
      run(index, of) {
        const isNight = (((index / of) * WORLD_DAYS) % 1) * 24 < 5;
        const run = new RunRecorder(random);
        run.call("next_task");
        run.call(random.chance(isNight ? 0.8 : 0.12) ? "bulk_fetch" : "fetch_item");
        if (random.chance(isNight ? 0.6 : 0.08)) run.call("skip_images");
        if (random.chance(0.5)) run.call("translate_text");
        if (random.chance(0.4)) run.call("fix_units", random.chance(0.05) ? "unit is not known" : null);
        const isFailed = random.chance(isNight ? atNight : 0.08);
        run.call("write_catalogue", isFailed ? "supplier answered 503" : null);
        return run.end(isFailed ? "ERROR" : "COMPLETED");
      },
    };
  },
};
