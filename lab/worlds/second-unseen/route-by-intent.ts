import { RunRecorder } from "../run-recorder.ts";
import { callWithNoise, mix, perhaps } from "../unseen/choices.ts";
import type { World } from "../world.ts";

/*
 * A router reads what a customer wants and sends them to one of four flows, mostly the right one; a wrong flow hands over to the
 * right one and nothing is lost. Customers who want to leave mostly do, and technical cases are hard: flows differ in failures because
 * their customers do.
 * Truth: none. The confounder (intent) is recorded as situation.
 */
export const ROUTE_BY_INTENT: World = {
  name: "second unseen: route by intent",
  plants:
    "nothing: the intent (recorded) decides the flow, its tools and the failures (4-40 %); a wrong flow hands over without harm",
  draw(random) {
    const flows: Record<string, { route: string; steps: string[]; base: number }> = {
      "intent=order": {
        route: "route_orders",
        steps: mix({ track_parcel: 4, change_address: 2, reply: 3 }),
        base: 0.04,
      },
      "intent=invoice": {
        route: "route_billing",
        steps: mix({ read_invoice: 4, correct_invoice: 2, reply: 3 }),
        base: 0.09,
      },
      "intent=technical": {
        route: "route_technical",
        steps: mix({ run_diagnosis: 4, read_manual: 3, reply: 3 }),
        base: 0.2,
      },
      "intent=cancel": {
        route: "route_retention",
        steps: mix({ read_contract: 3, offer_discount: 4, reply: 3 }),
        base: random.uniform(0.3, 0.45),
      },
    };
    const routes = Object.values(flows).map(({ route }) => route);
    const shares = mix({ "intent=order": 4, "intent=invoice": 3, "intent=technical": 2, "intent=cancel": 2 });
    return {
      tools: [
        "greet",
        ...routes,
        "hand_over",
        "track_parcel",
        "change_address",
        "read_invoice",
        "correct_invoice",
        "run_diagnosis",
        "read_manual",
        "read_contract",
        "offer_discount",
        "reply",
        "ask_rating",
      ],
      guilty: [],
      run() {
        const run = new RunRecorder(random);
        const situation = random.oneOf(shares);
        const flow = flows[situation];
        if (!flow) throw new Error(situation);
        run.call("greet");
        const route = random.oneOf([...Array<string>(16).fill(flow.route), ...routes]);
        run.call(route);
        if (route !== flow.route) run.call("hand_over");
        for (let left = random.between(2, 6); left > 0; left -= 1)
          callWithNoise(random, run, random.oneOf(flow.steps), 0.03);
        const rating = perhaps(random, "ask_rating", 0.5);
        if (rating) run.call(rating);
        return random.chance(flow.base)
          ? run.end("ERROR", { situation, message: "request was not fulfilled" })
          : run.end("COMPLETED", { situation });
      },
    };
  },
};
