import type { Issue } from "@whytrace/contract/schemas/issues/issues";
import { worldTraces } from "@whytrace/lab/worlds/world-traces.ts";
import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it, vi } from "vitest";

const { client, db } = await boot({}, { pausesMs: { issues: 50, likely: 100 } });
const WAIT = { timeout: 60_000, interval: 200 };
const STEP_MS = 120_000;

const issuesOf = async (user: Sender): Promise<Issue[]> =>
  expectStatus(await user.get("/api/issues?sort=runs"), 200).json.issues;
const jobsOf = async ({ workspaceId }: Sender) =>
  (
    await sql<{ number: number; isDue: boolean; waitMs: number }>`
      select number, created_at <= now() as is_due, extract(epoch from created_at - now())::double precision * 1000 as wait_ms
      from likely_jobs where workspace_id = ${workspaceId}`.execute(db)
  ).rows;
const letTimePass = ({ workspaceId }: Sender) =>
  sql`update likely_jobs set created_at = now() where workspace_id = ${workspaceId}`.execute(db);

it("an issue that opens in the middle of a bulk load is explained again by all its runs", async () => {
  const user = await newSender(client, db);
  const startedAtMs = Date.now() - 302 * STEP_MS;
  const { traces } = worldTraces({
    world: "near culprit",
    name: "worker",
    runs: 300,
    startedAtMs,
    stepMs: STEP_MS,
  });
  const first = traces.find(({ status }) => status === "ERROR") ?? traces[0];
  const spans = first?.spans.map((span) => ({
    ...span,
    statusMessage: span.statusMessage && "happened only once",
  }));
  expectStatus(await user.send([{ ...first, id: `${first?.id}-once`, spans }]), 200);
  await vi.waitFor(
    async () => expect(await issuesOf(user)).toMatchObject([{ unexplained: { reason: "too-few-runs" } }]),
    WAIT,
  );
  // No further run of the load is of this issue.
  expectStatus(await user.send(traces), 200);
  await vi.waitFor(async () => expect((await issuesOf(user))[0]?.runs).toBeGreaterThan(20), WAIT);
  await vi.waitFor(async () => {
    await letTimePass(user);
    for (const { unexplained } of await issuesOf(user))
      expect(["pending", "too-few-runs"]).not.toContain(unexplained?.reason);
  }, WAIT);
  expect((await issuesOf(user))[0]).toMatchObject({
    likely: { option: expect.any(String) },
    unexplained: null,
  });
});

it("is asked for again while an issue is new, each time later, and not of an old one", async () => {
  const user = await newSender(client, db);
  const startedAtMs = Date.now() - 52 * STEP_MS;
  const { traces } = worldTraces({
    world: "near culprit",
    name: "worker",
    runs: 50,
    startedAtMs,
    stepMs: STEP_MS,
  });
  expectStatus(await user.send(traces), 200);
  await vi.waitFor(async () => {
    expect((await issuesOf(user)).length).toBeGreaterThan(0);
    expect((await jobsOf(user)).every(({ isDue }) => !isDue)).toBe(true);
  }, WAIT);
  await sql`update issues set created_at = now() - interval '2 hours' where workspace_id = ${user.workspaceId}`.execute(
    db,
  );
  await letTimePass(user);
  await vi.waitFor(async () => {
    const waits = (await jobsOf(user)).map(({ waitMs }) => waitMs);
    expect(Math.min(...waits)).toBeGreaterThan(3_600_000);
  }, WAIT);
  await sql`update issues set created_at = now() - interval '2 days' where workspace_id = ${user.workspaceId}`.execute(
    db,
  );
  await letTimePass(user);
  await vi.waitFor(async () => expect(await jobsOf(user)).toEqual([]), WAIT);
});
