import { setTimeout as sleep } from "node:timers/promises";
import { EXIT } from "../../cli-error.ts";
import type { Command } from "../../command.ts";
import { printable } from "../../print/output.ts";
import { readingApi, TARGET_OPTIONS } from "../../target.ts";
import { findNamed } from "./find-named.ts";

/** A receiver has 10 s to answer. */
const MAX_WAIT_MS = 15_000;
const PAUSE_MS = 200;

export const alertsTest: Command = {
  name: "alerts test",
  about: "send a test message to a channel, and say how its receiver answered",
  positionals: ["<channel>"],
  options: TARGET_OPTIONS,
  details:
    "The channel is named by its name or id. Needs a sign-in. Exits with 1 if the message was not delivered, with 4 if there is no such channel.",
  async run(call) {
    const { args, output } = call;
    const api = await readingApi(call);
    const { channels } = await api.call("GET /api/alerts/channels");
    const { id, name } = findNamed(channels, args.positionals[0] ?? "", "channel");
    const params = { id };
    const { deliveryId } = await api.call("POST /api/alerts/channels/:id/test", { params });
    const readDelivery = async () => {
      const list = await api.call("GET /api/alerts/channels/:id/deliveries", {
        params,
        query: { limit: 100 },
      });
      return list.deliveries.find((delivery) => delivery.id === deliveryId);
    };
    const deadline = Date.now() + MAX_WAIT_MS;
    let delivery = await readDelivery();
    for (; delivery?.attempts.length === 0 && Date.now() < deadline; delivery = await readDelivery())
      await sleep(PAUSE_MS);
    const [attempt] = delivery?.attempts ?? [];
    output.json(delivery ?? { id: deliveryId });
    const isDelivered = delivery?.state === "delivered";
    const answer = attempt ? (attempt.status ?? attempt.error ?? "no answer") : "not sent yet";
    output.line(
      `${printable(name)}: ${isDelivered ? "delivered" : "not delivered"} (${printable(String(answer))})`,
    );
    return isDelivered ? EXIT.ok : EXIT.failed;
  },
};
