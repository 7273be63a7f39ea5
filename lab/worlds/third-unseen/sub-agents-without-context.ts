import { RunRecorder } from "../run-recorder.ts";
import { some } from "../unseen/choices.ts";
import type { World } from "../world.ts";

const TOPICS = { travel: [0.3, 0.05], finance: [0.4, 0.08], law: [0.6, 0.16] } as const;

/*
 * A research agent looks things up itself, or hands questions to sub-agents, up to three at once. A sub-agent does not see the
 * conversation and sometimes answers another question than was asked; the mistake shows in the score only. Law (recorded) is delegated
 * more and scored worse anyway. Who delegated also lets a sub-agent write.
 * Truth: `spawn_researcher`, more with each call. `spawn_writer` and `merge_notes` come along and are harmless.
 */
export const SUB_AGENTS_WITHOUT_CONTEXT: World = {
  name: "third unseen: sub-agents without context",
  plants:
    "each `spawn_researcher`, one to three at once, answers the wrong question (10-16 %); `spawn_writer` comes along; law (recorded) is scored worse anyway; scores only",
  lens: "scored",
  draw(random) {
    const harm = random.uniform(0.1, 0.16);
    return {
      tools: [
        "plan",
        "ask_user",
        "search_web",
        "read_page",
        "spawn_researcher",
        "merge_notes",
        "spawn_writer",
        "write_answer",
      ],
      guilty: ["chose spawn_researcher"],
      alsoTrue: ["left out search_web", "left out read_page"],
      run() {
        const topic = random.oneOf(["travel", "travel", "finance", "finance", "law"] as const);
        const [delegated, base] = TOPICS[topic];
        const run = new RunRecorder(random);
        run.call("plan");
        if (random.chance(0.2)) run.call("ask_user");
        let culprit = -1;
        let spawned = 0;
        for (let left = random.between(1, 3); left > 0; left -= 1) {
          if (random.chance(delegated)) {
            const calls = random.between(1, 3);
            run.callAll(Array.from({ length: calls }, () => ({ tool: "spawn_researcher", error: null })));
            spawned += calls;
            if (culprit < 0 && random.chance(1 - (1 - harm) ** calls)) culprit = run.lastTurn;
          } else {
            run.call("search_web", random.chance(0.05) ? "search is slow" : null);
            if (random.chance(0.8)) run.call("read_page", random.chance(0.08) ? "403 forbidden" : null);
          }
        }
        if (spawned > 1 || random.chance(0.25)) run.call("merge_notes");
        run.call(random.chance(spawned > 0 ? 0.7 : 0.3) ? "spawn_writer" : "write_answer");
        const isScoredBad = culprit >= 0 ? random.chance(0.9) : random.chance(base);
        const culprits = isScoredBad ? some(culprit) : [];
        return run.end("COMPLETED", { situation: `topic=${topic}`, isScoredBad, culprits });
      },
    };
  },
};
