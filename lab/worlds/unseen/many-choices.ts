import { RunRecorder } from "../run-recorder.ts";
import type { World } from "../world.ts";
import { callWithNoise, mix, perhaps, some } from "./choices.ts";

/** Agents with many tools, users or calls at once. */
export const MANY_CHOICES: World[] = [
  /*
   * Few customers make most runs. Each has its own habits and its own rate of failure; one or two of the busy ones have a wrong
   * credential. Their favourite tools look guilty; hundreds of their runs are one piece of evidence.
   * Truth: none. The confounder (customer) is recorded as session.
   */
  {
    name: "unseen: few busy sessions",
    plants:
      "nothing: 25 sessions of very unequal size, each with its own mix of tools and its own rate of failure (recorded)",
    draw(random) {
      const tools = ["search", "read", "export_pdf", "export_csv", "chart", "mail", "translate", "archive"];
      const sessions = Array.from({ length: 25 }, (_, i) => ({
        name: `customer ${i}`,
        weight: 1 / (i + 1),
        rate: random.memberRate(0.16, 0.25),
        steps: mix(Object.fromEntries(tools.map((tool) => [tool, Math.ceil(3 * random.exponential())]))),
      }));
      return {
        tools,
        guilty: [],
        run() {
          const run = new RunRecorder(random);
          const session = random.weighted(sessions.map((one) => [one, one.weight] as const));
          if (!session) throw new Error("no session");
          for (let left = random.between(1, 6); left > 0; left -= 1)
            callWithNoise(random, run, random.oneOf(session.steps), 0.03);
          const isFailed = random.chance(session.rate);
          run.call(random.oneOf(session.steps), isFailed ? "permission denied" : null);
          return run.end(isFailed ? "ERROR" : "COMPLETED", { session: session.name });
        },
      };
    },
  },

  /*
   * An agent with sixty tools from connected servers, most of which are rare. Failures come by chance.
   * Truth: none: with so many tools some look bad.
   */
  {
    name: "unseen: sixty tools",
    plants: "nothing: sixty tools, most of them rare; runs fail by chance (10-25 %)",
    draw(random) {
      const tools = Array.from({ length: 60 }, (_, i) => `tool_${i}`);
      const steps = mix(Object.fromEntries(tools.map((tool, i) => [tool, Math.ceil(120 / (i + 2))])));
      const base = random.uniform(0.1, 0.25);
      return {
        tools,
        guilty: [],
        run() {
          const run = new RunRecorder(random);
          for (let left = random.between(2, 14); left > 0; left -= 1)
            callWithNoise(random, run, random.oneOf(steps), 0.04);
          return random.chance(base) ? run.end("ERROR") : run.end("COMPLETED");
        },
      };
    },
  },

  /*
   * The same with one of the rarer tools at fault: each use breaks the run in the end, often.
   * Truth: `tool_10` to `tool_14` (one of them, used in about a tenth of the runs). No confounder.
   */
  {
    name: "unseen: one of sixty tools",
    plants: "one rare tool of sixty breaks the run some turns later (45-60 % of uses)",
    draw(random) {
      const tools = Array.from({ length: 60 }, (_, i) => `tool_${i}`);
      const steps = mix(Object.fromEntries(tools.map((tool, i) => [tool, Math.ceil(120 / (i + 2))])));
      const bad = `tool_${random.between(10, 14)}`;
      const harm = random.uniform(0.45, 0.6);
      return {
        tools,
        guilty: [`chose ${bad}`],
        run() {
          const run = new RunRecorder(random);
          let culprit = -1;
          for (let left = random.between(2, 14); left > 0; left -= 1) {
            const tool = random.oneOf(steps);
            callWithNoise(random, run, tool, 0.04);
            if (tool === bad && culprit < 0 && random.chance(harm)) culprit = run.lastTurn;
          }
          return culprit >= 0 || random.chance(0.1)
            ? run.end("ERROR", { culprits: some(culprit) })
            : run.end("COMPLETED");
        },
      };
    },
  },

  /*
   * A market agent asks several feeds in one turn. `price_feed` sometimes delivers prices of yesterday, at which `publish` is
   * refused. `news_feed` is nearly always asked in the same turn.
   * Truth: `price_feed`. Its companion is innocent; it is seen alone often enough to tell.
   */
  {
    name: "unseen: parallel feeds",
    plants:
      "`price_feed` poisons the result (16-24 % of uses) of a parallel turn; `news_feed` rides along (75 %), innocent",
    draw(random) {
      const harm = random.uniform(0.16, 0.24);
      return {
        tools: ["price_feed", "news_feed", "fx_feed", "weather_feed", "calendar", "think", "publish"],
        guilty: ["chose price_feed"],
        run() {
          const run = new RunRecorder(random);
          let culprit = -1;
          for (let left = random.between(1, 4); left > 0; left -= 1) {
            const price = perhaps(random, "price_feed", 0.35);
            const asked = [price, perhaps(random, "news_feed", price ? 0.75 : 0.2)];
            for (const feed of ["fx_feed", "weather_feed", "calendar"])
              asked.push(perhaps(random, feed, 0.35));
            const feeds = asked.filter((feed) => feed !== null);
            if (feeds.length > 0)
              run.callAll(
                feeds.map((tool) => ({ tool, error: random.chance(0.02) ? "feed is slow" : null })),
              );
            if (price && culprit < 0 && random.chance(harm)) culprit = run.lastTurn;
            run.call("think");
          }
          const isFailed = culprit >= 0 || random.chance(0.08);
          run.call("publish", isFailed ? "plausibility check failed" : null);
          return run.end(isFailed ? "ERROR" : "COMPLETED", { culprits: some(culprit) });
        },
      };
    },
  },

  /*
   * A translation service errs loudly, is called again and works. A cache answers without any error, but sometimes with an old
   * price, and the order is refused in the end.
   * Truth: `cache_get`. `translate` is noise.
   */
  {
    name: "unseen: loud innocent, quiet culprit",
    plants:
      "`cache_get` returns old prices (18-26 % of uses) without an error; `translate` errs in 30 % and always recovers",
    draw(random) {
      const harm = random.uniform(0.18, 0.26);
      const steps = mix({ translate: 4, api_get: 3, compare: 3, compose: 2 });
      return {
        tools: ["translate", "cache_get", "api_get", "compare", "compose", "order"],
        guilty: ["chose cache_get"],
        run() {
          const run = new RunRecorder(random);
          let culprit = -1;
          for (let left = random.between(3, 9); left > 0; left -= 1) {
            const tool = perhaps(random, "cache_get", 0.15) ?? random.oneOf(steps);
            callWithNoise(random, run, tool, tool === "translate" ? 0.3 : 0.01);
            if (tool === "cache_get" && culprit < 0 && random.chance(harm)) culprit = run.lastTurn;
          }
          const isFailed = culprit >= 0 || random.chance(0.08);
          run.call("order", isFailed ? "price has changed" : null);
          return run.end(isFailed ? "ERROR" : "COMPLETED", { culprits: some(culprit) });
        },
      };
    },
  },
];
