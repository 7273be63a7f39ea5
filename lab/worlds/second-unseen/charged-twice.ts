import { RunRecorder } from "../run-recorder.ts";
import { callWithNoise, mix, perhaps, some } from "../unseen/choices.ts";
import type { World } from "../world.ts";

/*
 * A travel agent books and pays. A payment that times out has mostly gone through. The agent then looks it up, which is safe, or
 * charges again at once. A card that was charged twice is reviewed for fraud, and the ticket is refused some turns later.
 * Truth: the second `charge_card` without `check_payment` before; to name either is right. The first charge, its time-out and
 * `issue_ticket` are innocent, and so is a second charge after `check_payment` said that nothing was paid. No confounder.
 */
export const CHARGED_TWICE: World = {
  name: "second unseen: charged twice",
  plants:
    "after a time-out (20-30 %) a second `charge_card` in place of `check_payment` charges twice (60-80 %); `issue_ticket` fails later",
  draw(random) {
    const timeouts = random.uniform(0.2, 0.3);
    const wentThrough = random.uniform(0.6, 0.8);
    const extras = mix({ add_baggage: 3, choose_seat: 3, ask_traveller: 2 });
    return {
      tools: [
        "search_flights",
        "compare_fares",
        "ask_traveller",
        "hold_seat",
        "charge_card",
        "check_payment",
        "add_baggage",
        "choose_seat",
        "issue_ticket",
        "send_itinerary",
      ],
      guilty: ["chose charge_card", "left out check_payment"],
      run() {
        const run = new RunRecorder(random);
        callWithNoise(random, run, "search_flights", 0.04);
        for (const tool of [perhaps(random, "ask_traveller", 0.4), perhaps(random, "compare_fares", 0.6)])
          if (tool) run.call(tool);
        callWithNoise(random, run, "hold_seat", 0.03);
        const isTimeout = random.chance(timeouts);
        run.call("charge_card", isTimeout ? "gateway did not answer within 20 s" : null);
        let culprit = -1;
        if (isTimeout) {
          const isPaid = random.chance(wentThrough);
          const reaction = random.oneOf(["charge_card", "check_payment"]);
          run.call(reaction);
          if (reaction === "check_payment") {
            if (!isPaid) run.call("charge_card");
          } else if (isPaid) culprit = run.lastTurn;
        }
        for (let left = random.between(1, 4); left > 0; left -= 1)
          callWithNoise(random, run, random.oneOf(extras), 0.03);
        if (culprit >= 0 && random.chance(0.85)) {
          run.call("issue_ticket", "booking is under review");
          return run.end("ERROR", { culprits: some(culprit) });
        }
        if (random.chance(0.07)) {
          run.call("issue_ticket", "fare is no longer available");
          return run.end("ERROR");
        }
        run.call("issue_ticket");
        const itinerary = perhaps(random, "send_itinerary", 0.9);
        if (itinerary) run.call(itinerary);
        return run.end("COMPLETED");
      },
    };
  },
};
