import { RunRecorder } from "../run-recorder.ts";
import type { World } from "../world.ts";
import { callWithNoise, mix, perhaps } from "./choices.ts";

/** Agents that read sites and services. */
export const BROWSING: World[] = [
  /*
   * A browsing agent: the kind of site decides which tools it needs and how often calls time out. Three time-outs end a run.
   * After a time-out the agent reloads or waits, which does not help.
   * Truth: none. The confounder (kind of site) is recorded as situation.
   */
  {
    name: "unseen: slow sites",
    plants:
      "nothing: the kind of site (recorded) decides the tools and the time-outs; `reload` and `wait` come after a time-out",
    draw(random) {
      const kinds: Record<string, { steps: string[]; timeouts: number; length: [number, number] }> = {
        "site=static": {
          steps: mix({ click: 4, extract: 5, scroll: 1, screenshot: 1 }),
          timeouts: 0.04,
          length: [3, 9],
        },
        "site=spa": {
          steps: mix({ click: 4, extract: 2, scroll: 4, screenshot: 3, fill_form: 2 }),
          timeouts: 0.13,
          length: [5, 12],
        },
        "site=guarded": {
          steps: mix({ click: 2, extract: 1, screenshot: 5, solve_captcha: 4 }),
          timeouts: 0.3,
          length: [4, 11],
        },
      };
      const shares = mix({
        "site=static": random.between(4, 6),
        "site=spa": 3,
        "site=guarded": random.between(2, 3),
      });
      return {
        tools: [
          "navigate",
          "click",
          "extract",
          "scroll",
          "screenshot",
          "fill_form",
          "solve_captcha",
          "reload",
          "wait",
          "finish",
        ],
        guilty: [],
        run() {
          const run = new RunRecorder(random);
          const situation = random.oneOf(shares);
          const kind = kinds[situation];
          if (!kind) throw new Error(situation);
          run.call("navigate");
          let timeouts = 0;
          for (let left = random.between(...kind.length); left > 0; left -= 1) {
            const isTimeout = random.chance(kind.timeouts);
            run.call(random.oneOf(kind.steps), isTimeout ? "timeout of 30000 ms exceeded" : null);
            if (!isTimeout) continue;
            timeouts += 1;
            if (timeouts === 3) return run.end("ERROR", { situation });
            const reaction = random.oneOf(["reload", "wait", null]);
            if (reaction) run.call(reaction);
          }
          run.call("finish");
          return run.end("COMPLETED", { situation });
        },
      };
    },
  },

  /*
   * Provider quotas: in busy hours half of all calls are answered 429, whatever the tool. The agent sleeps or falls back to a cache
   * for the moment and tries again; the fourth 429 in a row, or the
   * eighth in all, ends the run. The quota is per hour, so neither helps.
   * Truth: none. Busy hours are not recorded, but lie together in time, and the 429s are seen.
   */
  {
    name: "unseen: rate limits with backoff",
    plants:
      "nothing: in busy hours every call may get 429; `sleep` and `cached_lookup` come after a 429 and change nothing",
    draw(random) {
      const steps = mix({ search: 3, embed: 2, chat: 3, fetch: 2, store: 1 });
      let isBusy = false;
      return {
        tools: ["plan", "search", "embed", "chat", "fetch", "store", "sleep", "cached_lookup"],
        guilty: [],
        run() {
          if (random.chance(isBusy ? 0.06 : 0.03)) isBusy = !isBusy;
          const run = new RunRecorder(random);
          run.call("plan");
          let all = 0;
          for (let left = random.between(3, 7); left > 0; left -= 1) {
            const tool = random.oneOf(steps);
            let limited = 0;
            while (random.chance(isBusy ? 0.5 : 0.02)) {
              run.call(tool, "429 too many requests");
              limited += 1;
              all += 1;
              if (limited === 4 || all === 8) return run.end("ERROR");
              const reaction = random.oneOf(["sleep", "cached_lookup", null, null]);
              if (reaction) run.call(reaction);
            }
            run.call(tool);
            if (random.chance(0.01)) return run.end("ERROR", { message: "invalid answer" });
          }
          return run.end("COMPLETED");
        },
      };
    },
  },

  /*
   * A crawler has three minutes. `deep_crawl` takes most of a minute, other fetches some seconds. At the deadline the run is
   * stopped, whatever it does; no call has an error.
   * Truth: `deep_crawl`. How many pages a task needs is not recorded and lengthens runs of all kinds, but does not choose the tool.
   */
  {
    name: "unseen: deadline",
    plants: "`deep_crawl` eats a deadline of 180 s; the run is stopped at another call; no call has an error",
    draw(random) {
      const fetches = mix({ fetch_page: 5, api_get: 4 });
      const crawlShare = random.oneOf([0.2, 0.25]);
      return {
        tools: ["read_sitemap", "fetch_page", "api_get", "deep_crawl", "extract", "store"],
        guilty: ["chose deep_crawl"],
        run() {
          const run = new RunRecorder(random);
          const crawls: number[] = [];
          let seconds = 0;
          run.call("read_sitemap");
          for (let pages = random.between(3, 10); pages > 0; pages -= 1) {
            const tool = perhaps(random, "deep_crawl", crawlShare) ?? random.oneOf(fetches);
            run.call(tool);
            if (tool === "deep_crawl") crawls.push(run.lastTurn);
            seconds += tool === "deep_crawl" ? random.uniform(25, 70) : random.uniform(3, 14);
            if (seconds > 180) return run.end("ERROR", { message: "deadline exceeded", culprits: crawls });
            const extract = perhaps(random, "extract", 0.7);
            if (extract) run.call(extract);
            if (random.chance(0.006)) return run.end("ERROR", { message: "out of memory" });
          }
          run.call("store");
          return run.end("COMPLETED");
        },
      };
    },
  },

  /*
   * A browser hangs now and then. After two errors the agent may restart it, which helps in some cases. Restarts are seen mostly in
   * runs that fail, because they are a remedy (confounding by indication).
   * Truth: `restart` is innocent and even helps, so "left out restart" is true as well. The hanging shows in the errors before.
   */
  {
    name: "unseen: remedy",
    plants:
      "nothing harmful: `restart` is called after two errors and rescues 35 % of hung runs; four errors in a row end the run",
    draw(random) {
      const steps = ["open", "click", "type", "read", "screenshot"];
      const hangs = random.uniform(0.04, 0.07);
      return {
        tools: [...steps, "restart", "finish"],
        guilty: [],
        alsoTrue: ["left out restart"],
        run() {
          const run = new RunRecorder(random);
          for (let left = random.between(4, 12); left > 0; left -= 1) {
            let errors = 0;
            let isHung = random.chance(hangs);
            while (isHung) {
              run.call(random.oneOf(steps), "target closed");
              errors += 1;
              if (errors === 4) return run.end("ERROR");
              if (errors === 2) {
                const remedy = perhaps(random, "restart", 0.6);
                if (remedy) run.call(remedy);
                isHung = !(remedy && random.chance(0.35));
              } else isHung = !random.chance(0.1);
            }
            callWithNoise(random, run, random.oneOf(steps), 0.02);
          }
          run.call("finish");
          return run.end("COMPLETED");
        },
      };
    },
  },

  /*
   * A research agent in four phases. Each turn ends the run with the same small chance, whatever the tool, so failed runs are short
   * and lack the tools of the late phases. A few runs never end because the process was killed.
   * Truth: none: late tools are absent because the run had failed. Nothing else is to know.
   */
  {
    name: "unseen: failed runs stop early",
    plants:
      "nothing: each turn may end the run (3 %); the tools of late phases are missing from failed runs; 3 % of runs never end",
    draw(random) {
      const phases = [
        ["search", "read", "browse"],
        ["compute", "compare", "table"],
        ["draft", "polish", "translate"],
        ["send_mail", "archive", "notify"],
      ];
      const hazard = random.uniform(0.025, 0.04);
      return {
        tools: ["read_task", ...phases.flat()],
        guilty: [],
        run() {
          const run = new RunRecorder(random);
          const killedAt = random.chance(0.03) ? random.between(2, 8) : -1;
          run.call("read_task");
          for (const phase of phases)
            for (let left = random.between(1, 4); left > 0; left -= 1) {
              const tool = random.oneOf(phase);
              if (random.chance(hazard)) {
                run.call(tool, "internal error");
                return run.end("ERROR");
              }
              run.call(tool);
              if (run.turns.length === killedAt) return run.end("RUNNING");
            }
          return run.end("COMPLETED");
        },
      };
    },
  },
];
