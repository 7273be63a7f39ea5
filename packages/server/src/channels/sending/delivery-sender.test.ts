import { randomUUID } from "node:crypto";
import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { HookReceiver } from "@whytrace/testing/server/hook-receiver.ts";
import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { announce } from "../announce.ts";

const receiver = new HookReceiver();
const origin = await receiver.listen();
receiver.answer = ({ path }) => (path.startsWith("/hangs") ? { isHung: true } : undefined);
const { client, db } = await boot({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" });
const WAIT = { timeout: 30_000, interval: 20 };

async function addChannel(user: Sender, path: string) {
  const body = { kind: "webhook", name: "ops", url: origin + path };
  expectStatus(await user.post("/api/alerts/channels", body), 201);
}
/** Two messages to each channel. */
const tell = ({ workspaceId }: Sender) =>
  db.transaction((trx) =>
    announce(
      trx,
      workspaceId,
      [1, 2].map((number) => ({
        type: "issue.new",
        subject: `issue:${number}`,
        sequence: 1,
        payload: { issue: { number, title: "cause", agent: "support-agent", runs: 1 } },
        traceId: null,
      })),
    ),
  );
const countSending = async ({ workspaceId }: Sender) =>
  (
    await sql<{ count: number }>`
      select count(*) as count from alert_deliveries where workspace_id = ${workspaceId} and state = 'sending'`.execute(
      db,
    )
  ).rows[0]?.count ?? 0;

it("receivers of one workspace that never answer leave places for the messages of others", async () => {
  const [hanging, other] = [await newSender(client, db), await newSender(client, db)];
  for (let channel = 0; channel < 4; channel += 1) await addChannel(hanging, `/hangs-${channel}`);
  const path = `/answers-${randomUUID()}`;
  await addChannel(other, path);
  await tell(hanging);
  let most = 0;
  await vi.waitFor(async () => {
    most = Math.max(most, await countSending(hanging));
    expect(most).toBeGreaterThanOrEqual(4);
  }, WAIT);
  await tell(other);
  await vi.waitFor(async () => {
    most = Math.max(most, await countSending(hanging));
    expect(receiver.at(path)).toHaveLength(2);
  }, WAIT);
  expect(most).toBe(4);
});

it("a workspace whose messages cannot be read does not stop those of others", async () => {
  const [broken, other] = [await newSender(client, db), await newSender(client, db)];
  await addChannel(broken, `/broken-${randomUUID()}`);
  const path = `/answers-${randomUUID()}`;
  await addChannel(other, path);
  await sql`
    update alert_channels set burst_started_at = 'infinity' where workspace_id = ${broken.workspaceId}`.execute(
    db,
  );
  await tell(broken);
  await tell(other);
  await receiver.waitFor(path, 2);
});
