import { RunRecorder } from "../run-recorder.ts";
import type { World } from "../world.ts";
import { callWithNoise, mix, perhaps, some } from "./choices.ts";

/** Agents whose first choices decide. */
export const ROUTING: World[] = [
  /*
   * A maths tutor sends easy tasks mostly to the quick solver, hard ones to the full solver. The quick solver is worse at every
   * level, but over all levels it looks better (Simpson's paradox). The run says only at the end that the answer was wrong.
   * Truth: `quick_solver`. The confounder (difficulty) is recorded as situation.
   */
  {
    name: "unseen: quick solver",
    plants:
      "`quick_solver` adds 14-20 points at each level of difficulty (recorded), but is used for easy tasks: it looks better over all",
    draw(random) {
      const harm = random.uniform(0.14, 0.2);
      const levels: Record<string, { solvers: string[]; base: number }> = {
        "level=1": { solvers: mix({ quick_solver: 8, full_solver: 2 }), base: 0.04 },
        "level=2": { solvers: mix({ quick_solver: 5, full_solver: 5 }), base: 0.15 },
        "level=3": { solvers: mix({ quick_solver: 3, full_solver: 7 }), base: 0.35 },
        "level=4": { solvers: mix({ quick_solver: 1, full_solver: 5 }), base: 0.55 },
      };
      return {
        tools: ["read_task", "recall_formula", "plot", "quick_solver", "full_solver", "explain"],
        guilty: ["chose quick_solver"],
        alsoTrue: ["left out full_solver"],
        run() {
          const run = new RunRecorder(random);
          const situation = random.oneOf(["level=1", "level=1", "level=2", "level=3", "level=4"]);
          const level = levels[situation];
          if (!level) throw new Error(situation);
          run.call("read_task");
          const recall = perhaps(random, "recall_formula", 0.5);
          if (recall) run.call(recall);
          const solver = random.oneOf(level.solvers);
          let solvedAt = -1;
          for (let parts = random.between(1, 3); parts > 0; parts -= 1) {
            callWithNoise(random, run, solver, 0.03);
            solvedAt = run.lastTurn;
            const plot = perhaps(random, "plot", 0.25);
            if (plot) run.call(plot);
          }
          const culprit = solver === "quick_solver" && random.chance(harm / (1 - level.base)) ? solvedAt : -1;
          run.call("explain");
          return culprit >= 0 || random.chance(level.base)
            ? run.end("ERROR", { situation, message: "wrong answer", culprits: some(culprit) })
            : run.end("COMPLETED", { situation });
        },
      };
    },
  },

  /*
   * A router decides at the start: the fast path may guess, the deep path reads sources. Guessing is what harms, and only the fast
   * path can guess.
   * Truth: `guess`, and `route_fast` because it leads there; "left out route_deep" is the same choice. `read_source` and `cite` are
   * missing from the fast path only because of the route: to call them "left out" is false.
   */
  {
    name: "unseen: router",
    plants:
      "`route_fast` leads to `guess` (60 %), which is wrong in 28-38 %; the tools of the deep path are absent, but not the reason",
    draw(random) {
      const harm = random.uniform(0.28, 0.38);
      return {
        tools: ["route_fast", "route_deep", "guess", "recall", "read_source", "cite", "compare", "answer"],
        guilty: ["chose guess", "chose route_fast"],
        alsoTrue: ["left out route_deep", "left out recall"],
        run() {
          const run = new RunRecorder(random);
          const route = random.oneOf(["route_fast", "route_deep"]);
          run.call(route);
          let culprit = -1;
          if (route === "route_fast") {
            const tool = random.oneOf(mix({ guess: 3, recall: 2 }));
            run.call(tool);
            if (tool === "guess" && random.chance(harm)) culprit = run.lastTurn;
          } else
            for (let left = random.between(2, 6); left > 0; left -= 1)
              callWithNoise(
                random,
                run,
                random.oneOf(["read_source", "read_source", "cite", "compare"]),
                0.03,
              );
          run.call("answer");
          return culprit >= 0 || random.chance(0.1)
            ? run.end("ERROR", { message: "answer rejected", culprits: some(culprit) })
            : run.end("COMPLETED");
        },
      };
    },
  },

  /*
   * A tax agent: the EU ledger is right everywhere but in Switzerland, which a quarter of the cases are about. Cases of Switzerland
   * are not harder otherwise.
   * Truth: `eu_ledger`, in one recorded situation only.
   */
  {
    name: "unseen: harmful in one country",
    plants:
      "`eu_ledger` fails in `country=ch` (35-50 %, a quarter of the runs) and nowhere else; the country is recorded",
    draw(random) {
      const harm = random.uniform(0.35, 0.5);
      return {
        tools: ["read_receipt", "classify", "eu_ledger", "local_ledger", "ask_user", "file_return"],
        guilty: ["chose eu_ledger"],
        alsoTrue: ["left out local_ledger"],
        run() {
          const run = new RunRecorder(random);
          const situation = random.oneOf(["country=ch", "country=de", "country=fr", "country=at"]);
          for (let left = random.between(1, 5); left > 0; left -= 1)
            callWithNoise(random, run, random.oneOf(["read_receipt", "classify", "ask_user"]), 0.03);
          const ledger = random.oneOf(["eu_ledger", "local_ledger"]);
          run.call(ledger);
          const culprit =
            situation === "country=ch" && ledger === "eu_ledger" && random.chance(harm) ? run.lastTurn : -1;
          const isFailed = culprit >= 0 || random.chance(0.09);
          run.call("file_return", isFailed ? "return rejected" : null);
          return run.end(isFailed ? "ERROR" : "COMPLETED", { situation, culprits: some(culprit) });
        },
      };
    },
  },

  /*
   * A summariser with a short and a long form: the short one loses a fact now and then.
   * Truth: `summarise_short`, by seven to ten points. No confounder. To find it needs many runs; to name another tool is false.
   */
  {
    name: "unseen: small effect",
    plants: "`summarise_short` fails 7-10 points more than `summarise_long` (14 %), half and half",
    draw(random) {
      const harm = random.uniform(0.07, 0.1);
      return {
        tools: ["fetch", "clean", "detect_language", "summarise_short", "summarise_long", "tag", "publish"],
        guilty: ["chose summarise_short"],
        alsoTrue: ["left out summarise_long"],
        run() {
          const run = new RunRecorder(random);
          callWithNoise(random, run, "fetch", 0.05);
          for (const [tool, share] of [
            ["clean", 0.6],
            ["detect_language", 0.4],
          ] as const) {
            const chosen = perhaps(random, tool, share);
            if (chosen) run.call(chosen);
          }
          const form = random.oneOf(["summarise_short", "summarise_long"]);
          run.call(form);
          const culprit = form === "summarise_short" && random.chance(harm / 0.86) ? run.lastTurn : -1;
          const tag = perhaps(random, "tag", 0.5);
          if (tag) run.call(tag);
          if (culprit >= 0 || random.chance(0.14))
            return run.end("ERROR", { message: "fact check failed", culprits: some(culprit) });
          run.call("publish");
          return run.end("COMPLETED");
        },
      };
    },
  },

  /*
   * Tail sampling: every failed run is kept, of the others one in five, which then stands for five.
   * Truth: `legacy_auth`. Runs are kept by their end, which the weights put right.
   */
  {
    name: "unseen: tail sampling",
    plants:
      "`legacy_auth` breaks a later call (15-22 %); of the runs that succeed one in five is kept, with weight 5",
    draw(random) {
      const harm = random.uniform(0.15, 0.22);
      const steps = ["list", "get", "put", "copy", "share"];
      return {
        tools: ["legacy_auth", "token_auth", ...steps],
        guilty: ["chose legacy_auth"],
        alsoTrue: ["left out token_auth"],
        run() {
          for (;;) {
            const run = new RunRecorder(random);
            const auth = random.oneOf(["legacy_auth", "token_auth", "token_auth"]);
            run.call(auth);
            const due =
              auth === "legacy_auth" && random.chance(harm) ? random.between(1, 4) : Number.POSITIVE_INFINITY;
            for (let turn = 1, length = random.between(4, 10); turn <= length; turn += 1) {
              const tool = random.oneOf(steps);
              if (turn === due || random.chance(0.008)) {
                run.call(tool, "401 token expired");
                return run.end("ERROR", { culprits: turn === due ? [0] : [] });
              }
              run.call(tool);
            }
            if (random.chance(0.2)) return run.end("COMPLETED", { sampleProbability: 0.2 });
          }
        },
      };
    },
  },
];
