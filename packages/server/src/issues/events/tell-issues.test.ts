import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { EventReader } from "@whytrace/testing/server/event-reader.ts";
import { sql } from "kysely";
import { expect, it, vi } from "vitest";

const { client, db } = await boot({}, { pausesMs: { issues: 50 } });
const WAIT = { timeout: 30_000, interval: 50 };

const failed = (message: string, startedAtMs = Date.now() - 60_000) =>
  trace({
    name: "support-agent",
    status: "ERROR",
    startedAt: new Date(startedAtMs).toISOString(),
    spans: [span({ status: "ERROR", statusMessage: message })],
  });
const send = async (user: Sender, ...traces: unknown[]) => expectStatus(await user.send(traces), 200);
const stateIs = (user: Sender, number: number, state: string) =>
  vi.waitFor(async () => expect((await user.get(`/api/issues/${number}`)).json.state).toBe(state), WAIT);
const sequenceOf = async ({ workspaceId }: Sender, number: number) => {
  const { rows } = await sql<{ sequence: number }>`
    select sequence from issues where workspace_id = ${workspaceId} and number = ${number}`.execute(db);
  return rows[0]?.sequence;
};

it("each event of an issue is counted once: new, resolved, regressed, reopened; imports and further runs are none", async () => {
  const user = await newSender(client, db);
  await send(user, failed("loud"), failed("loud"), failed("imported", Date.now() - 2 * 86_400_000));
  await vi.waitFor(async () => expect((await user.get("/api/issues")).json.total).toBe(2), WAIT);
  const { issues } = (await user.get("/api/issues")).json;
  const numberOf = (title: string) => issues.find((issue: { title: string }) => issue.title === title).number;
  const [loud, imported] = [numberOf("loud"), numberOf("imported")];
  expect(await sequenceOf(user, imported)).toBe(0);
  expect(await sequenceOf(user, loud)).toBe(1);
  await send(user, failed("loud"));
  await vi.waitFor(async () => expect((await user.get(`/api/issues/${loud}`)).json.runs).toBe(3), WAIT);
  expectStatus(await user.post(`/api/issues/${loud}/resolve`, { in: "now" }), 200);
  expect(await sequenceOf(user, loud)).toBe(2);
  await send(user, failed("loud", Date.now() + 1_000), failed("loud", Date.now() + 2_000));
  await stateIs(user, loud, "regressed");
  expect(await sequenceOf(user, loud)).toBe(3);
  expectStatus(await user.post(`/api/issues/${loud}/ignore`, { untilRuns: 1 }), 200);
  await send(user, failed("loud"));
  await stateIs(user, loud, "ongoing");
  expect(await sequenceOf(user, loud)).toBe(4);
  const bulk = { issues: [loud, imported], action: "resolve", in: "now" };
  expectStatus(await user.post("/api/issues/bulk", bulk), 200);
  expect([await sequenceOf(user, loud), await sequenceOf(user, imported)]).toEqual([5, 1]);
});

it("open streams hear that an issue changed, by a run or by a person", async () => {
  const user = await newSender(client, db);
  const reader = await EventReader.open(user);
  try {
    await reader.until("ready");
    await send(user, failed("heard"));
    const heard = () => reader.events.filter(({ event }) => event === "issues").length;
    await vi.waitFor(() => expect(heard()).toBeGreaterThan(0), WAIT);
    const before = heard();
    expectStatus(await user.post("/api/issues/1/resolve", { in: "now" }), 200);
    await vi.waitFor(() => expect(heard()).toBeGreaterThan(before), WAIT);
  } finally {
    reader.close();
  }
});
