import { RunRecorder } from "../run-recorder.ts";
import type { World } from "../world.ts";
import { WORLD_DAYS } from "../world-time.ts";

/*
 * An ordering agent. Once in the four weeks the payment provider is down for two to three and a half days. Operators then switch the
 * agent to `queue_order`, and it looks at the status page; neither changes anything, an order fails as often as with `place_order`.
 * Truth: none. The incident is not recorded, but the time is: all of it lies in a few days.
 */
export const INCIDENT: World = {
  name: "third unseen: incident",
  plants:
    "nothing: in an incident of 2-3.5 days (seen only in the time) runs fail in 45-60 %, else in 7 %; `queue_order` and `check_status_page` belong to these days",
  draw(random) {
    const from = random.uniform(4, 20);
    const to = from + random.uniform(2, 3.5);
    const broken = random.uniform(0.45, 0.6);
    return {
      tools: [
        "find_product",
        "check_stock",
        "reserve_item",
        "check_status_page",
        "place_order",
        "queue_order",
        "confirm_order",
        "notify_customer",
      ],
      guilty: [],
      run(index, of) {
        const day = (index / of) * WORLD_DAYS;
        const isIncident = day >= from && day < to;
        const run = new RunRecorder(random);
        run.call("find_product");
        if (random.chance(0.7)) run.call("check_stock");
        if (random.chance(0.4)) run.call("reserve_item");
        if (random.chance(isIncident ? 0.6 : 0.03)) run.call("check_status_page");
        run.call(random.chance(isIncident ? 0.8 : 0.06) ? "queue_order" : "place_order");
        if (random.chance(isIncident ? broken : 0.07)) {
          for (let tries = random.between(1, 2); tries > 0; tries -= 1)
            run.call("confirm_order", "payment provider answered 502");
          return run.end("ERROR");
        }
        run.call("confirm_order");
        if (random.chance(0.8)) run.call("notify_customer");
        return run.end("COMPLETED");
      },
    };
  },
};
