import { RunRecorder } from "../run-recorder.ts";
import type { World } from "../world.ts";
import { callWithNoise, mix, perhaps, some } from "./choices.ts";

/** Agents that write and merge code. */
export const CODING: World[] = [
  /*
   * A coding agent edits and runs the tests until they pass, or gives up after six rounds. Rewriting a whole file silently loses
   * code that the agent rarely brings back. `run_tests` carries all errors and is called more often in failed runs, as are all
   * kinds of edits: a run that does not succeed goes on longer.
   * Truth: `rewrite_file`. How many bugs a task has is not recorded, but does not decide which edit is chosen.
   */
  {
    name: "unseen: edit/test loop",
    plants:
      "`rewrite_file` loses code (25-40 %), so the tests fail until the agent gives up; `run_tests` only tells",
    draw(random) {
      const edits = mix({ edit_file: random.between(3, 6), apply_patch: random.between(3, 6) });
      const harm = random.uniform(0.25, 0.4);
      return {
        tools: [
          "grep",
          "read_file",
          "list_dir",
          "edit_file",
          "apply_patch",
          "rewrite_file",
          "lint",
          "run_tests",
          "commit",
        ],
        guilty: ["chose rewrite_file"],
        run() {
          const run = new RunRecorder(random);
          for (let reads = random.between(1, 3); reads > 0; reads -= 1)
            run.call(random.oneOf(["grep", "read_file", "list_dir"]));
          let bugs = random.oneOf([1, 1, 1, 2, 2, 3]);
          let culprit = -1;
          for (let round = 0; round < 6; round += 1) {
            const edit = perhaps(random, "rewrite_file", 0.2) ?? random.oneOf(edits);
            run.call(edit);
            if (culprit >= 0) {
              if (random.chance(0.12)) culprit = -1;
            } else if (edit === "rewrite_file" && random.chance(harm)) culprit = run.lastTurn;
            if (random.chance(0.55)) bugs -= 1;
            const lint = perhaps(random, "lint", 0.3);
            if (lint) run.call(lint);
            const isGreen = bugs <= 0 && culprit < 0;
            run.call("run_tests", isGreen ? null : "tests failed");
            if (isGreen) {
              run.call("commit");
              return run.end("COMPLETED");
            }
          }
          return run.end("ERROR", { message: "gave up after 6 rounds", culprits: some(culprit) });
        },
      };
    },
  },

  /*
   * The same loop when nothing is wrong with the tools: hard tasks need many rounds and often fail. After three red rounds the
   * agent looks for help (`search_web`, `revert`), which neither helps nor harms.
   * Truth: none. The difficulty is not recorded; it shows only in the red test runs before.
   */
  {
    name: "unseen: edit/test loop, hard tasks",
    plants:
      "nothing: hard tasks (not recorded) take more rounds of everything; `search_web` and `revert` come after three red rounds",
    draw(random) {
      const edits = mix({
        edit_file: random.between(2, 6),
        apply_patch: random.between(2, 6),
        rewrite_file: random.between(1, 3),
      });
      return {
        tools: [
          "grep",
          "read_file",
          "edit_file",
          "apply_patch",
          "rewrite_file",
          "lint",
          "run_tests",
          "search_web",
          "revert",
          "commit",
        ],
        guilty: [],
        run() {
          const run = new RunRecorder(random);
          const fixes = random.oneOf([0.75, 0.75, 0.5, 0.12]);
          for (let reads = random.between(1, 3); reads > 0; reads -= 1)
            run.call(random.oneOf(["grep", "read_file"]));
          for (let round = 0; round < 6; round += 1) {
            if (round >= 3) {
              const help = random.oneOf(["search_web", "revert", null]);
              if (help) run.call(help);
            }
            run.call(random.oneOf(edits));
            const lint = perhaps(random, "lint", 0.3);
            if (lint) run.call(lint);
            const isGreen = random.chance(fixes);
            run.call("run_tests", isGreen ? null : "tests failed");
            if (isGreen) {
              run.call("commit");
              return run.end("COMPLETED");
            }
          }
          return run.end("ERROR", { message: "gave up after 6 rounds" });
        },
      };
    },
  },

  /*
   * A coding agent that always gets there: a fuzzy patch lands in the wrong place, `compile` fails one to three turns later, the
   * agent repairs it. What counts are errors from which the run recovered.
   * Truth: `patch_fuzzy`. `compile` and `repair` only follow. Few runs fail for good, by chance.
   */
  {
    name: "unseen: recovered compile errors",
    plants:
      "`patch_fuzzy` makes `compile` err (30-45 %) 1-3 turns later; the run recovers; `repair` follows the error",
    lens: "error",
    draw(random) {
      const harm = random.uniform(0.3, 0.45);
      return {
        tools: ["read_file", "patch_exact", "patch_fuzzy", "format", "doc", "compile", "repair", "commit"],
        guilty: ["chose patch_fuzzy"],
        alsoTrue: ["left out patch_exact"],
        run() {
          const run = new RunRecorder(random);
          const culprits: number[] = [];
          for (let files = random.between(1, 3); files > 0; files -= 1) {
            run.call("read_file");
            const patch = random.oneOf(["patch_exact", "patch_exact", "patch_fuzzy"]);
            run.call(patch);
            const isBroken = random.chance(patch === "patch_fuzzy" ? harm : 0.05);
            if (isBroken && patch === "patch_fuzzy") culprits.push(run.lastTurn);
            for (const tool of [perhaps(random, "format", 0.4), perhaps(random, "doc", 0.3)])
              if (tool) run.call(tool);
            if (isBroken) {
              run.call("compile", "unexpected token");
              const repair = perhaps(random, "repair", 0.8);
              if (repair) run.call(repair);
            }
            run.call("compile");
          }
          if (random.chance(0.03)) return run.end("ERROR", { message: "killed" });
          run.call("commit");
          return run.end("COMPLETED", { culprits });
        },
      };
    },
  },

  /*
   * A release brings a better model and a new habit: `auto_merge`. The model makes fewer mistakes, `auto_merge` makes more; in the
   * sum the failed share falls, so the new habit looks good.
   * Truth: `auto_merge`, in both releases. The confounder is recorded as release.
   */
  {
    name: "unseen: release that hides its fault",
    plants:
      "`auto_merge` adds 15-22 points; the release (recorded) that uses it much has a far lower base rate, so it looks harmless",
    draw(random) {
      const harm = random.uniform(0.15, 0.22);
      return {
        tools: ["diff", "review", "ask_owner", "auto_merge", "manual_merge", "deploy"],
        guilty: ["chose auto_merge"],
        alsoTrue: ["left out manual_merge"],
        run(index, of) {
          const run = new RunRecorder(random);
          const isNew = index / of >= 0.5;
          const release = isNew ? "2.0" : "1.9";
          const base = isNew ? 0.05 : 0.38;
          for (let left = random.between(2, 5); left > 0; left -= 1)
            callWithNoise(random, run, random.oneOf(["diff", "diff", "review", "ask_owner"]), 0.02);
          const merge = random.oneOf(
            isNew ? mix({ auto_merge: 7, manual_merge: 3 }) : mix({ auto_merge: 2, manual_merge: 18 }),
          );
          run.call(merge);
          const culprit = merge === "auto_merge" && random.chance(harm / (1 - base)) ? run.lastTurn : -1;
          const isFailed = culprit >= 0 || random.chance(base);
          run.call("deploy", isFailed ? "health check failed" : null);
          return run.end(isFailed ? "ERROR" : "COMPLETED", { release, culprits: some(culprit) });
        },
      };
    },
  },

  /*
   * Forms: `validate_input` before `submit` finds most wrong fields in time. Whether the agent validates is a matter of chance.
   * Truth: `validate_input` left out. `submit` carries the error and stands in all runs.
   */
  {
    name: "unseen: forgotten validation",
    plants: "without `validate_input` (left out in 40 %) `submit` is refused in 28-38 %, with it in 9 %",
    draw(random) {
      const base = random.uniform(0.28, 0.38);
      return {
        tools: ["read_form", "fill_field", "upload", "lookup", "validate_input", "submit", "confirm"],
        guilty: ["left out validate_input"],
        run() {
          const run = new RunRecorder(random);
          run.call("read_form");
          for (let left = random.between(2, 8); left > 0; left -= 1)
            callWithNoise(random, run, random.oneOf(["fill_field", "fill_field", "upload", "lookup"]), 0.04);
          const validate = perhaps(random, "validate_input", 0.6);
          if (validate) run.call(validate);
          const luck = random.next();
          if (luck < (validate ? 0.09 : base)) {
            run.call("submit", "422 field is invalid");
            return run.end("ERROR", { missing: !validate && luck >= 0.09 ? "validate_input" : null });
          }
          run.call("submit");
          run.call("confirm");
          return run.end("COMPLETED");
        },
      };
    },
  },
];
