import { RunRecorder } from "../run-recorder.ts";
import type { World } from "../world.ts";
import { isWeekend } from "../world-time.ts";
import { callWithNoise, mix, perhaps, some } from "./choices.ts";

/** Agents that talk with people. */
export const SUPPORT: World[] = [
  /*
   * A RAG assistant has a current wiki and an old archive. Passages of the archive are out of date, and the user votes the answer
   * down. German questions go to the archive more often and are answered worse anyway, because the model's German is weaker.
   * Truth: `search_archive`, in both languages. The confounder (language) is recorded as situation.
   */
  {
    name: "unseen: stale index",
    plants:
      "`search_archive` returns stale passages (20-30 %); German (recorded) uses it more and is scored worse anyway; scores only",
    lens: "scored",
    draw(random) {
      const harm = random.uniform(0.2, 0.3);
      const searches: Record<string, string[]> = {
        "language=de": mix({ search_archive: 5, search_wiki: 4 }),
        "language=en": mix({ search_archive: 2, search_wiki: 6 }),
      };
      return {
        tools: ["rewrite_query", "search_archive", "search_wiki", "rerank", "open_page", "answer"],
        guilty: ["chose search_archive"],
        alsoTrue: ["left out search_wiki"],
        run() {
          const run = new RunRecorder(random);
          const situation = random.chance(0.35) ? "language=de" : "language=en";
          let culprit = -1;
          const rewrite = perhaps(random, "rewrite_query", 0.4);
          if (rewrite) run.call(rewrite);
          for (let left = random.between(1, 3); left > 0; left -= 1) {
            const search = random.oneOf(searches[situation] ?? []);
            callWithNoise(random, run, search, 0.02);
            if (search === "search_archive" && culprit < 0 && random.chance(harm)) culprit = run.lastTurn;
            for (const tool of [perhaps(random, "rerank", 0.5), perhaps(random, "open_page", 0.6)])
              if (tool) run.call(tool);
          }
          run.call("answer");
          const isWrong = culprit >= 0 || random.chance(situation === "language=de" ? 0.22 : 0.06);
          const isScoredBad = random.chance(0.75) && isWrong;
          return run.end("COMPLETED", { situation, isScoredBad, culprits: isScoredBad ? some(culprit) : [] });
        },
      };
    },
  },

  /*
   * Customer support: some customers' records are locked, so look-ups fail and the case cannot be solved. After two failed
   * look-ups the agent escalates or offers a credit, which changes nothing. A conversation of three runs keeps its customer.
   * Truth: none. The locked record is not recorded; it shows in the errors of the look-ups before. The session is recorded.
   */
  {
    name: "unseen: escalation",
    plants:
      "nothing: locked records (17 % of sessions) make look-ups err and runs fail; `escalate`, `offer_credit` come after two errors",
    draw(random) {
      const steps = mix({ lookup_customer: 3, check_order: 3, search_faq: 2, reply: 3 });
      let isLocked = false;
      return {
        tools: [
          "lookup_customer",
          "check_order",
          "search_faq",
          "reply",
          "escalate",
          "offer_credit",
          "close_case",
        ],
        guilty: [],
        run(index) {
          if (index % 3 === 0) isLocked = random.chance(0.17);
          const run = new RunRecorder(random);
          const session = `conversation ${Math.floor(index / 3)}`;
          let errors = 0;
          let hasReacted = false;
          for (let left = random.between(5, 11); left > 0; left -= 1) {
            const tool = random.oneOf(steps);
            const errs =
              random.chance(isLocked ? 0.6 : 0.03) && (tool === "lookup_customer" || tool === "check_order");
            run.call(tool, errs ? "record is locked" : null);
            if (errs) errors += 1;
            if (errors >= 2 && !hasReacted) {
              hasReacted = true;
              const reaction = random.oneOf(["escalate", "escalate", "offer_credit", null]);
              if (reaction) run.call(reaction);
            }
          }
          run.call("close_case");
          return random.chance(isLocked ? 0.7 : 0.06)
            ? run.end("ERROR", { session, message: "case not solved" })
            : run.end("COMPLETED", { session });
        },
      };
    },
  },

  /*
   * The same with angry customers, whom the agent recognises by their words. Nothing of it is recorded before `escalate`, so the
   * data are the same as if `escalate` did the harm.
   * Truth: none, but no method can see it: shows what a user has to be warned of.
   */
  {
    name: "unseen: escalation, unseen anger",
    plants:
      "nothing: angry customers (20 %, not recorded) get `escalate` (55 % against 5 %) and fail anyway (60 % against 7 %)",
    isHopeless: true,
    draw(random) {
      return {
        tools: ["lookup_customer", "search_faq", "reply", "escalate", "close_case"],
        guilty: [],
        run() {
          const run = new RunRecorder(random);
          const isAngry = random.chance(0.2);
          for (let left = random.between(3, 8); left > 0; left -= 1)
            callWithNoise(random, run, random.oneOf(["lookup_customer", "search_faq", "reply"]), 0.02);
          const escalate = perhaps(random, "escalate", isAngry ? 0.55 : 0.05);
          if (escalate) run.call(escalate);
          run.call("close_case");
          return random.chance(isAngry ? 0.6 : 0.07)
            ? run.end("ERROR", { message: "case not solved" })
            : run.end("COMPLETED");
        },
      };
    },
  },

  /*
   * Four releases: the third has a worse model and, at the same time, a prompt that asks for `web_search` everywhere.
   * Truth: none. The confounder is recorded as release.
   */
  {
    name: "unseen: release with a worse model",
    plants:
      "nothing: the third release (recorded) fails more and uses `web_search` more, `local_search` less",
    draw(random) {
      const releases = [
        { release: "1.0", base: 0.08, web: 0.2 },
        { release: "1.1", base: 0.11, web: 0.3 },
        { release: "1.2", base: random.uniform(0.3, 0.4), web: 0.75 },
        { release: "1.3", base: 0.1, web: 0.4 },
      ];
      return {
        tools: ["plan", "web_search", "local_search", "summarise", "cite", "answer"],
        guilty: [],
        run(index, of) {
          const run = new RunRecorder(random);
          const at =
            releases[Math.min(3, Math.floor((index / of) * 4 + random.uniform(-0.1, 0.1)))] ?? releases[0];
          if (!at) throw new Error("no release");
          const plan = perhaps(random, "plan", 0.5);
          if (plan) run.call(plan);
          for (let left = random.between(1, 4); left > 0; left -= 1) {
            const web = Math.round(at.web * 20);
            callWithNoise(random, run, random.oneOf(mix({ web_search: web, local_search: 20 - web })), 0.03);
            const extra = random.oneOf(["summarise", "cite", null]);
            if (extra) run.call(extra);
          }
          run.call("answer");
          return random.chance(at.base)
            ? run.end("ERROR", { release: at.release, message: "answer rejected" })
            : run.end("COMPLETED", { release: at.release });
        },
      };
    },
  },

  /*
   * Four weeks. At weekends private customers come, who ask for other things, and a supplier's system is often down.
   * Truth: none. The weekend is recorded only in the time of the run, and comes back four times.
   */
  {
    name: "unseen: weekends",
    plants:
      "nothing: at weekends (seen only in the time) other tools are used and more runs fail, four times over",
    draw(random) {
      const week = mix({ invoice: 4, book_freight: 4, track: 3, quote: 2, refund: 1, chat: 1 });
      const weekend = mix({ invoice: 1, book_freight: 1, track: 4, quote: 1, refund: 4, chat: 4 });
      const base = random.uniform(0.3, 0.42);
      return {
        tools: ["invoice", "book_freight", "track", "quote", "refund", "chat", "close"],
        guilty: [],
        run(index, of) {
          const run = new RunRecorder(random);
          const isAtWeekend = isWeekend(index, of);
          for (let left = random.between(2, 6); left > 0; left -= 1)
            callWithNoise(random, run, random.oneOf(isAtWeekend ? weekend : week), 0.03);
          run.call("close");
          return random.chance(isAtWeekend ? base : 0.08)
            ? run.end("ERROR", { message: "supplier not available" })
            : run.end("COMPLETED");
        },
      };
    },
  },
];
