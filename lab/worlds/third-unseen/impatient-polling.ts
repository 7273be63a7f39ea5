import { RunRecorder } from "../run-recorder.ts";
import type { World } from "../world.ts";

/*
 * An agent starts one or two jobs in a data warehouse and needs their results. It asks again and again with `poll_job`, as often as
 * the job takes, or waits with `wait_for_job`. From the sixth poll of a run on each may use up the quota of the hour; then the next
 * calls are refused and the run ends.
 * Truth: `poll_job`, when called often. `fetch_result` and `start_job`, which are refused, only tell.
 */
export const IMPATIENT_POLLING: World = {
  name: "third unseen: impatient polling",
  plants:
    "from the sixth `poll_job` on each uses up the quota (14-20 %), and `fetch_result` or the next job is refused; `wait_for_job` does not",
  draw(random) {
    const harm = random.uniform(0.14, 0.2);
    return {
      tools: [
        "check_schema",
        "upload_data",
        "start_job",
        "poll_job",
        "wait_for_job",
        "fetch_result",
        "plot_result",
        "send_report",
      ],
      guilty: ["chose poll_job"],
      alsoTrue: ["left out wait_for_job"],
      run() {
        const run = new RunRecorder(random);
        if (random.chance(0.6)) run.call("check_schema");
        if (run.failsByChance("upload_data", 0.03)) return run.end("ERROR");
        const polls: number[] = [];
        let hasQuota = true;
        for (let jobs = random.oneOf([1, 1, 2]); jobs > 0; jobs -= 1) {
          for (const tool of ["start_job", "fetch_result"]) {
            if (!hasQuota) {
              for (let tries = random.between(1, 3); tries > 0; tries -= 1)
                run.call(tool, "429 quota of this hour is used up");
              return run.end("ERROR", { culprits: polls });
            }
            if (run.failsByChance(tool, 0.02)) return run.end("ERROR");
            if (tool === "fetch_result") continue;
            if (random.chance(0.5)) {
              for (let left = random.between(1, 9); left > 0; left -= 1) {
                run.call("poll_job");
                polls.push(run.lastTurn);
                if (polls.length > 5 && random.chance(harm)) hasQuota = false;
              }
            } else {
              run.call("wait_for_job");
              if (random.chance(0.2)) run.call("wait_for_job");
            }
          }
        }
        if (random.chance(0.5)) run.call("plot_result");
        return run.end(run.failsByChance("send_report", 0.03) ? "ERROR" : "COMPLETED");
      },
    };
  },
};
