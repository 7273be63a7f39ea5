import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { expect, it } from "vitest";
import { Overloaded } from "../concurrency/overloaded.ts";
import { FairDatabase } from "../db/fair-database.ts";
import { DaysReader } from "../insights/days/days-reader.ts";
import { checkAlerts } from "./check-alerts.ts";

// The server's own worker does not check in the time of this test.
const { client, db } = await boot({ ALERT_TICK: "24h" });

it("a rule whose past cannot be read now keeps no other rule of its workspace waiting, and is reported", async () => {
  const user = await newSender(client, db);
  const drift = { kind: "drift", name: "drifts", agent: "a" };
  const rate = { kind: "failure_rate", name: "fails", agent: "a", above: 0.5, forMinutes: 0 };
  for (const rule of [drift, rate]) expectStatus(await user.post("/api/alerts/rules", rule), 201);
  const startedAt = new Date(Date.now() - 300_000).toISOString();
  const failed = Array.from({ length: 50 }, () => trace({ name: "a", startedAt, status: "ERROR" }));
  expectStatus(await user.send(failed), 200);

  const reads = new FairDatabase(() => Promise.reject(new Overloaded(1)), "read", {
    maxRunning: 1,
    maxWaitingPerCaller: 1,
  });
  let checked = 0;
  const check = checkAlerts({
    db,
    reads,
    days: new DaysReader(reads),
    tickMs: 0,
    stopping: new AbortController().signal,
    onChecked: () => {
      checked += 1;
    },
  });
  await expect(check).rejects.toMatchObject({ errors: [expect.any(Overloaded)] });
  expect(checked).toBe(1);
  const { rules } = (await user.get("/api/alerts/rules")).json;
  expect(rules.find(({ name }: { name: string }) => name === "fails").state).toBe("firing");
});
