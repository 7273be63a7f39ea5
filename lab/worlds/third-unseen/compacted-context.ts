import { RunRecorder } from "../run-recorder.ts";
import { mix, some } from "../unseen/choices.ts";
import type { World } from "../world.ts";

/*
 * A support agent works on long threads. Once a run is long it makes room in its context: `compact_context` writes a summary,
 * `drop_tool_outputs` forgets old results, and a quarter of the runs goes on as it is. The summary sometimes loses the rule that an
 * approval is needed; a few turns later `send_reply` is refused and the run ends. Each call fails now and then, so long runs fail more.
 * Truth: `compact_context`, which only long runs call. `drop_tool_outputs`, in as long runs, is harmless.
 */
export const COMPACTED_CONTEXT: World = {
  name: "third unseen: compacted context",
  plants:
    "only long runs call `compact_context`, which loses a rule (35-50 %): 1-6 turns later `send_reply` is refused; `drop_tool_outputs` is harmless; long runs fail more anyway",
  draw(random) {
    const harm = random.uniform(0.35, 0.5);
    const works = mix({ read_mail: 4, search_crm: 3, read_ticket: 3, draft_reply: 2, update_crm: 1 });
    return {
      tools: [
        "read_mail",
        "search_crm",
        "read_ticket",
        "draft_reply",
        "update_crm",
        "compact_context",
        "drop_tool_outputs",
        "ask_approval",
        "send_reply",
      ],
      guilty: ["chose compact_context"],
      alsoTrue: ["left out drop_tool_outputs"],
      run() {
        const run = new RunRecorder(random);
        const length = random.between(5, 22);
        const makesRoomAt = random.between(9, 13);
        let culprit = -1;
        let refusedAt = Number.POSITIVE_INFINITY;
        while (run.turns.length < Math.min(length, refusedAt)) {
          if (run.turns.length === makesRoomAt) {
            const way = random.oneOf(mix({ compact_context: 8, drop_tool_outputs: 7, read_mail: 5 }));
            run.call(way);
            if (way === "compact_context" && random.chance(harm)) {
              culprit = run.lastTurn;
              refusedAt = run.turns.length + random.between(0, 5);
            }
          } else if (run.failsByChance(random.oneOf(works), 0.008)) return run.end("ERROR");
        }
        if (culprit >= 0) {
          run.call("send_reply", "policy: the approval is missing");
          return run.end("ERROR", { culprits: some(culprit) });
        }
        run.call("ask_approval");
        return run.end(run.failsByChance("send_reply", 0.02) ? "ERROR" : "COMPLETED");
      },
    };
  },
};
