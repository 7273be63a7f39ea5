import type { Issue, IssueDetail } from "@whytrace/contract/schemas/issues/issues";
import { worldTraces } from "@whytrace/lab/worlds/world-traces.ts";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it, vi } from "vitest";

const { client, db } = await boot({}, { pausesMs: { issues: 50, likely: 100 } });

it("an issue names the decision that most of its newest runs are explained by, and stores hashes alone", async () => {
  const user = await newSender(client, db);
  const stepMs = 120_000;
  const startedAtMs = Date.now() - 302 * stepMs;
  const { traces } = worldTraces({ world: "near culprit", name: "worker", runs: 300, startedAtMs, stepMs });
  expectStatus(await user.send(traces), 200);
  const issue = await vi.waitFor(
    async (): Promise<Issue> => {
      const { issues } = expectStatus(await user.get("/api/issues?sort=runs"), 200).json;
      const found = issues.find((one: Issue) => one.likely !== null);
      expect(found).toBeDefined();
      return found;
    },
    { timeout: 60_000, interval: 200 },
  );
  const { rows } = await sql<{ likely: Record<string, unknown> }>`
    select likely from issues where workspace_id = ${user.workspaceId} and number = ${issue.number}`.execute(
    db,
  );
  expect(JSON.stringify(rows[0]?.likely)).not.toContain(issue.likely?.option);
  const detail: IssueDetail = expectStatus(await user.get(`/api/issues/${issue.number}`), 200).json;
  expect(detail.likely).toEqual(issue.likely);
  expect(detail.likely).toMatchObject({
    word: expect.stringMatching(/^(likely|possible)$/),
    option: expect.any(String),
    chosen: { failed: expect.any(Number), decisions: expect.any(Number) },
    alternativeRate: expect.any(Number),
  });
  const { chosen, alternativeRate } = detail.likely ?? {
    chosen: { failed: 0, decisions: 1 },
    alternativeRate: 1,
  };
  expect(chosen.failed / chosen.decisions).toBeGreaterThan(alternativeRate ?? 1);
  const blame = expectStatus(await user.get(`/api/insights/blame/${detail.newestTraceId}`), 200).json;
  expect(blame.suspects.map(({ step }: { step: string }) => step)).toContain(detail.likely?.step);
  expect(detail.nearestGoodRun).not.toBeNull();
  const good = expectStatus(await user.get(`/api/traces/${detail.nearestGoodRun}`), 200).json;
  expect(good.status).toBe("COMPLETED");
});

it("an issue whose runs decided nothing has no likely decision and no run to compare with", async () => {
  const user = await newSender(client, db);
  const startedAt = new Date(Date.now() - 60_000).toISOString();
  expectStatus(
    await user.send([
      {
        id: `bare-${user.userId}`,
        name: "bare",
        status: "ERROR",
        tags: [],
        startedAt,
        spans: [],
        decisionPoints: [],
        events: [],
      },
    ]),
    200,
  );
  await vi.waitFor(async () => expect((await user.get("/api/issues")).json.total).toBe(1), 30_000);
  expect(expectStatus(await user.get("/api/issues/1"), 200).json).toMatchObject({
    likely: null,
    unexplained: { reason: "none" },
    nearestGoodRun: null,
  });
});
