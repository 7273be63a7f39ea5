import { RunRecorder } from "../run-recorder.ts";
import { mix, some } from "../unseen/choices.ts";
import type { World } from "../world.ts";

/*
 * A coding agent works in a package of a larger repository. It goes there with `change_dir`, which stays in force, or names the
 * directory in each command (`run_in_dir`), or works from the root. After `change_dir` it sometimes forgets where it is, and its
 * edits land in files of the wrong place. The tests stay red, round after round, until it gives up; it installs packages meanwhile.
 * Truth: `change_dir`. Red tests are frequent anyway and mostly repaired; `install_package` only follows them.
 */
export const CHANGED_DIRECTORY: World = {
  name: "third unseen: changed directory",
  plants:
    "after `change_dir` (45 %) edits land in the wrong place (30-45 %): the tests stay red until the agent gives up; `install_package` only follows red tests",
  draw(random) {
    const harm = random.uniform(0.3, 0.45);
    const looks = mix({ read_file: 4, search_code: 3, list_files: 1 });
    const ways = [...mix({ change_dir: 9, run_in_dir: 7 }), null, null, null, null];
    const works = mix({ edit_file: 5, read_file: 3, search_code: 1 });
    return {
      tools: [
        "list_files",
        "read_file",
        "search_code",
        "change_dir",
        "run_in_dir",
        "edit_file",
        "install_package",
        "run_tests",
        "open_pull_request",
      ],
      guilty: ["chose change_dir"],
      alsoTrue: ["left out run_in_dir"],
      run() {
        const run = new RunRecorder(random);
        run.call("list_files");
        for (let left = random.between(1, 3); left > 0; left -= 1) run.call(random.oneOf(looks));
        const way = random.oneOf(ways);
        if (way) run.call(way);
        const culprit = way === "change_dir" && random.chance(harm) ? run.lastTurn : -1;
        const isLost = culprit >= 0 || random.chance(0.07);
        for (let left = random.between(1, 4); left > 0; left -= 1) run.call(random.oneOf(works));
        run.call("edit_file");
        const rounds = isLost ? random.between(3, 5) : random.oneOf([0, 0, 0, 1, 1, 2]);
        for (let round = 0; round < rounds; round += 1) {
          run.call("run_tests", "2 tests failed");
          if (isLost && round === rounds - 1)
            return run.end("ERROR", { message: "tests still fail", culprits: some(culprit) });
          if (random.chance(0.3)) run.call("install_package");
          if (random.chance(0.5)) run.call(random.oneOf(looks));
          run.call("edit_file");
        }
        run.call("run_tests");
        run.call("open_pull_request");
        return run.end("COMPLETED");
      },
    };
  },
};
