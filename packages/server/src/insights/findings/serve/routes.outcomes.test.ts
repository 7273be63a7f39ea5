import type { Findings, TraceRow } from "@whytrace/contract";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

const { client, db } = await boot();
const AGENT = "worker";
const STEP_MS = 60_000;

/** A workspace, and its runs by name. */
async function play(runs: Record<string, object>) {
  const user = await newSender(client, db);
  const idOf = (name: string) => `${user.workspaceId}-${name}`;
  const startMs = Date.now() - 3 * 3_600_000;
  const traces = Object.entries(runs).map(([name, more], index) =>
    trace({
      id: idOf(name),
      name: AGENT,
      startedAt: new Date(startMs + index * STEP_MS).toISOString(),
      endedAt: new Date(startMs + index * STEP_MS + 5_000).toISOString(),
      decisionPoints: [
        decision({ id: "1", chosen: "a", timestamp: new Date(startMs + index * STEP_MS).toISOString() }),
      ],
      ...more,
    }),
  );
  expectStatus(await user.send(traces), 200);
  return { user, idOf };
}

const score = async (user: Sender, scores: object[]) =>
  expectStatus(
    await client.request("POST", "/api/scores", {
      body: { scores },
      headers: { authorization: `Bearer ${user.key}` },
    }),
    200,
  );
const findings = async (user: Sender, query = ""): Promise<Findings> =>
  expectStatus(await user.get(`/api/insights/findings?${query}`), 200).json;
/** The names of the runs that a filter of the list finds. */
async function listed(user: Sender, query: string): Promise<string[]> {
  const { traces } = expectStatus(await user.get(`/api/traces?${query}`), 200).json;
  return traces.map(({ id }: TraceRow) => id.slice(user.workspaceId.length + 1)).sort();
}
const review = (traceId: string, value: boolean) => ({ traceId, name: "review", value, source: "person" });

it("count as failed what outcomes call bad by what is known, and abandoned runs; a filter of the list finds just these", async () => {
  const { user, idOf } = await play({
    good: {},
    failed: { status: "ERROR" },
    forgiven: { status: "ERROR" },
    disliked: {},
    "disliked and failed": { status: "ERROR" },
    abandoned: { status: "RUNNING", endedAt: null },
    running: { status: "RUNNING", endedAt: null },
  });
  await sql`update traces set created_at = now() - interval '2 hours' where id = ${idOf("abandoned")}`.execute(
    db,
  );
  await score(user, [
    review(idOf("forgiven"), true),
    review(idOf("disliked"), false),
    review(idOf("disliked and failed"), false),
  ]);
  const found = await findings(user);
  expect(found).toMatchObject({
    lens: "failed",
    badRuns: 3,
    abandonedRuns: 1,
    otherLenses: [{ lens: "scored", badRuns: 2 }],
  });
  expect(await listed(user, "lens=failed")).toEqual(["abandoned", "disliked and failed", "failed"]);
  expect(await listed(user, "lens=scored")).toEqual(["disliked", "disliked and failed"]);
  expect(await findings(user, "lens=scored")).toMatchObject({
    badRuns: 2,
    otherLenses: [{ lens: "failed", badRuns: 3 }],
  });
});

it("count as runs with an error those in which one came after a decision; a filter of the list finds just these", async () => {
  const startedAt = (minutes: number) =>
    new Date(Date.now() - 3 * 3_600_000 + minutes * STEP_MS).toISOString();
  const failing = (minutes: number) => ({
    spans: [span({ status: "ERROR", startedAt: startedAt(minutes) })],
  });
  const { user, idOf } = await play({
    fine: {},
    "got over it": failing(60),
    failed: { status: "ERROR", ...failing(60) },
    "failed before it decided": { status: "ERROR", ...failing(-60) },
    abandoned: { status: "RUNNING", endedAt: null, ...failing(60) },
    running: { status: "RUNNING", endedAt: null, ...failing(60) },
  });
  await sql`update traces set created_at = now() - interval '2 hours' where id = ${idOf("abandoned")}`.execute(
    db,
  );
  const counted = ["abandoned", "failed", "got over it"];
  expect(await findings(user, "lens=error")).toMatchObject({ badRuns: 3, countedFrom: null });
  expect(await listed(user, "lens=error")).toEqual(counted);
  expect(await listed(user, "errorsFrom=1")).toHaveLength(5);
  const { rows } = expectStatus(await user.get("/api/insights/decisions"), 200).json;
  const [{ step }] = rows[0].options;
  expect(await listed(user, `lens=error&step=${step}`)).toEqual(counted);
  expect(await listed(user, `lens=failed&step=${step}`)).toEqual([
    "abandoned",
    "failed",
    "failed before it decided",
  ]);
});

it("follow a definition that does not look at the status", async () => {
  const { user } = await play({
    failed: { status: "ERROR" },
    refunded: { tags: ["refunded"] },
    both: { status: "ERROR", tags: ["refunded"] },
  });
  const definition = { agent: AGENT, version: 0, bad: [{ kind: "tag", is: "refunded" }] };
  expectStatus(await user.put("/api/outcomes", definition), 200);
  await expect.poll(() => listed(user, "outcome=bad"), { timeout: 60_000 }).toEqual(["both", "refunded"]);
  await expect
    .poll(async () => (await findings(user, "lens=failed")).judging, { timeout: 60_000 })
    .toBeUndefined();
  expect((await findings(user, `lens=failed&agent=${AGENT}`)).badRuns).toBe(2);
  expect(await listed(user, "lens=failed")).toEqual(["both", "refunded"]);
});

it("show bad scores to whoever names no lens, also if the first one comes after the first look", async () => {
  const { user, idOf } = await play({ first: {}, second: {} });
  const helpful = (name: string, value: boolean) => ({
    traceId: idOf(name),
    name: "helpful",
    value,
    source: "user",
  });
  expect(await findings(user)).toMatchObject({ lens: "failed", badRuns: 0, otherLenses: [] });
  await score(user, [helpful("first", true)]);
  expect(await findings(user)).toMatchObject({ lens: "failed", badRuns: 0 });
  await score(user, [helpful("second", false)]);
  // A list is computed again after a minute.
  await sql`update why_findings set computed_at = now() - interval '2 minutes' where workspace_id = ${user.workspaceId}`.execute(
    db,
  );
  expect(await findings(user)).toMatchObject({ lens: "scored", badRuns: 1, otherLenses: [] });
});
