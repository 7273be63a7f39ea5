import { RunRecorder } from "../run-recorder.ts";
import { callWithNoise, mix, perhaps } from "../unseen/choices.ts";
import type { World } from "../world.ts";

/*
 * A support agent may write a summary of the conversation for the file, and may hand the case over to a person. With a summary, the
 * person reads only that and lacks what it left out; without one they read everything. Customers with a contract are handed over
 * more often, have their contract looked up, and are harder to please anyway.
 * Truth: `summarise_thread` and `escalate_to_human` in one run; to name either is right. Each alone does nothing. The confounder
 * (contract) is recorded as situation; `lookup_contract` is innocent.
 */
export const HANDED_OVER_WITH_A_SUMMARY: World = {
  name: "second unseen: handed over with a summary",
  plants:
    "`summarise_thread` and `escalate_to_human` in one run (40-55 %) make a bad score, each alone does not; contracts (recorded) score worse anyway",
  lens: "scored",
  draw(random) {
    const harm = random.uniform(0.4, 0.55);
    const plans: Record<string, { steps: string[]; escalates: number; base: number }> = {
      "plan=basic": {
        steps: mix({ search_kb: 4, reply: 5, check_status: 2, lookup_contract: 1 }),
        escalates: 0.3,
        base: 0.05,
      },
      "plan=contract": {
        steps: mix({ search_kb: 3, reply: 5, check_status: 2, lookup_contract: 5 }),
        escalates: 0.5,
        base: 0.18,
      },
    };
    return {
      tools: [
        "lookup_account",
        "search_kb",
        "reply",
        "check_status",
        "lookup_contract",
        "summarise_thread",
        "escalate_to_human",
        "close_case",
      ],
      guilty: ["chose summarise_thread", "chose escalate_to_human"],
      run() {
        const run = new RunRecorder(random);
        const situation = random.oneOf(["plan=basic", "plan=basic", "plan=contract"]);
        const plan = plans[situation];
        if (!plan) throw new Error(situation);
        callWithNoise(random, run, "lookup_account", 0.04);
        const together: number[] = [];
        const length = random.between(2, 6);
        const summarise = perhaps(random, "summarise_thread", 0.45);
        const summariseAt = random.between(1, length);
        for (let turn = 1; turn <= length; turn += 1) {
          callWithNoise(random, run, random.oneOf(plan.steps), 0.03);
          if (!summarise || turn !== summariseAt) continue;
          run.call(summarise);
          together.push(run.lastTurn);
        }
        const escalate = perhaps(random, "escalate_to_human", plan.escalates);
        if (escalate) {
          run.call(escalate);
          together.push(run.lastTurn);
        }
        run.call("close_case");
        const isLost = together.length === 2 && random.chance(harm);
        const isScoredBad = isLost || random.chance(plan.base);
        return run.end("COMPLETED", { situation, isScoredBad, culprits: isLost ? together : [] });
      },
    };
  },
};
