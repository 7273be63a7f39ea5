import { decidedRuns, signatureOf } from "@whytrace/testing/samples/decided-runs.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { releaseOf } from "../../decision-facts/release.ts";

const { client, db } = await boot();

const AGENT = "support agent";
const DAY_MS = 86_400_000;
const compare = async (user: Sender, query: Record<string, string> = {}, status = 200) =>
  expectStatus(
    await user.get(`/api/insights/releases/compare?${new URLSearchParams({ agent: AGENT, ...query })}`),
    status,
  ).json;
const history = async (user: Sender, query: Record<string, string> = {}) =>
  expectStatus(
    await user.get(`/api/insights/releases?${new URLSearchParams({ agent: AGENT, ...query })}`),
    200,
  ).json;

const startOf = (daysAgo: number, index = 0) =>
  new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - daysAgo * DAY_MS + 1_000 * index).toISOString();

/** So many runs of a release, of which the first ones failed with an error in a tool. */
function runs(
  count: number,
  bad: number,
  {
    tags,
    daysAgo,
    message = "card declined",
    durationMs = 2_000,
  }: { tags: string[]; daysAgo: number; message?: string; durationMs?: number },
) {
  return decidedRuns({ refund: Math.ceil(count / 2), ask: Math.floor(count / 2) }, { tags, daysAgo }).map(
    (run, index) => ({
      ...run,
      totalDuration: durationMs + (index % 7) * 100,
      totalCost: 0.01,
      ...(index < bad && {
        status: "ERROR",
        spans: [
          span({
            name: "refund_api",
            status: "ERROR",
            statusMessage: message,
            startedAt: startOf(daysAgo, index),
          }),
        ],
      }),
    }),
  );
}

describe("GET /api/insights/releases/compare", () => {
  it("says in one sentence that the newest release is worse than the one before, and what changed", async () => {
    const user = await newSender(client, db);
    await user.send(runs(100, 4, { tags: ["v2.2.4"], daysAgo: 6 }));
    await user.send(runs(100, 30, { tags: ["v2.3.0"], daysAgo: 2, message: "policy 4711 outdated" }));
    const found = await compare(user);
    expect(found).toMatchObject({
      agent: AGENT,
      verdict: "worse",
      base: { release: "v2.2.4", runs: 100, judgedRuns: 100, badRuns: 4, sessions: 100 },
      current: { release: "v2.3.0", runs: 100, judgedRuns: 100, badRuns: 30 },
      untestedChoices: 0,
      choices: [],
      isTruncated: false,
    });
    expect(found.sentence).toMatch(
      /^v2\.3\.0 is worse than v2\.2\.4: 30 % of runs are bad, before 4 % \(1\d to 3\d points more\)\.$/,
    );
    expect(found.measures).toMatchObject([
      { name: "bad", verdict: "worse", base: { value: 0.04 }, current: { value: 0.3 }, untested: null },
      { name: "cost", verdict: "alike", change: { value: expect.closeTo(1, 8) } },
      { name: "time", verdict: "alike" },
    ]);
    expect(found.errors).toMatchObject([
      {
        change: "new",
        isClear: true,
        base: 0,
        current: 30,
        name: "refund_api",
        message: "policy # outdated",
      },
      { change: "gone", isClear: false, base: 4, current: 0, message: "card declined" },
    ]);
    const links = new URLSearchParams({ agent: AGENT, release: "v2.3.0", outcome: "bad", decided: "any" });
    expect((await user.get(`/api/traces?${links}`)).json.total).toBe(30);
    const { error, errorMessage } = found.errors[0].sent;
    const ofError = new URLSearchParams({ agent: AGENT, error, errorMessage });
    expect((await user.get(`/api/traces?${ofError}`)).json.total).toBe(30);
  });

  it("counts runs that failed before they decided anything, and those that never ended", async () => {
    const user = await newSender(client, db);
    await user.send(runs(60, 0, { tags: ["v1.0.0"], daysAgo: 6 }));
    const early = Array.from({ length: 30 }, (_, index) =>
      trace({ name: AGENT, tags: ["v1.1.0"], status: "ERROR", startedAt: startOf(2, index) }),
    );
    const hung = Array.from({ length: 10 }, (_, index) =>
      trace({ name: AGENT, tags: ["v1.1.0"], status: "RUNNING", startedAt: startOf(2, index) }),
    );
    await user.send([...runs(20, 0, { tags: ["v1.1.0"], daysAgo: 2 }), ...early, ...hung]);
    expect((await compare(user)).current).toMatchObject({
      runs: 60,
      judgedRuns: 50,
      badRuns: 30,
      abandonedRuns: 0,
    });
    await sql`update traces set created_at = created_at - interval '2 hours'
      where workspace_id = ${user.workspaceId} and status = 'RUNNING'`.execute(db);
    expect(await compare(user)).toMatchObject({
      verdict: "worse",
      current: { runs: 60, judgedRuns: 60, badRuns: 40, abandonedRuns: 10 },
    });
    const total = async (query: Record<string, string>) =>
      (await user.get(`/api/traces?${new URLSearchParams({ agent: AGENT, release: "v1.1.0", ...query })}`))
        .json.total;
    expect(await total({ decided: "any" })).toBe(60);
    expect(await total({ decided: "any", outcome: "bad" })).toBe(30);
    expect(await total({ decided: "no" })).toBe(40);
    expect(await total({})).toBe(20);
  });

  it("lists choices that changed, as drift does", async () => {
    const user = await newSender(client, db);
    await user.send(decidedRuns({ search: 70, ask: 30 }, { tags: ["v1"], daysAgo: 6 }));
    await user.send(decidedRuns({ search: 70, ask: 30 }, { tags: ["v1.0"], daysAgo: 6 }));
    await user.send(decidedRuns({ search: 30, ask: 70 }, { tags: ["v1.1"], daysAgo: 2 }));
    const { choices, base, current } = await compare(user);
    expect([base.release, current.release]).toEqual(["v1.0", "v1.1"]);
    expect(choices).toMatchObject([
      { signature: signatureOf(["search", "ask"], "ask").signature, distance: expect.closeTo(0.4, 8) },
    ]);
  });

  it("does not take sessions that differ for a worse release", async () => {
    const user = await newSender(client, db);
    const sessions = (bad: number, tag: string, daysAgo: number) =>
      Array.from({ length: 20 }, (_, session) =>
        Array.from({ length: 10 }, (_unused, index) =>
          trace({
            name: AGENT,
            tags: [tag],
            sessionId: `${tag} ${session}`,
            status: session < bad ? "ERROR" : "COMPLETED",
            startedAt: startOf(daysAgo, 10 * session + index),
          }),
        ),
      ).flat();
    for (const [bad, tag, daysAgo] of [
      [3, "v1.0.0", 6],
      [7, "v1.1.0", 2],
    ] as const) {
      const all = sessions(bad, tag, daysAgo);
      await user.send(all.slice(0, 100));
      await user.send(all.slice(100));
    }
    const found = await compare(user);
    expect(found).toMatchObject({ verdict: "alike", current: { runs: 200, sessions: 20, badRuns: 70 } });
    expect(found.measures[0].p).toBeGreaterThan(0.1);
    expect(found.sentence).toMatch(
      /^Nothing shows that v1\.1\.0 is worse than v1\.0\.0: bad runs changed by -/,
    );
  });

  it("compares two weeks of an agent without releases, and any two releases or time ranges", async () => {
    const user = await newSender(client, db);
    await user.send(runs(50, 2, { tags: [], daysAgo: 10 }));
    await user.send(runs(50, 25, { tags: [], daysAgo: 1 }));
    expect(await compare(user)).toMatchObject({
      verdict: "worse",
      base: { release: null, runs: 50 },
      current: { release: null, runs: 50 },
    });
    expect((await compare(user)).sentence).toMatch(/^\d+ \w+ to \d+ \w+ is worse than \d+ \w+ to \d+ \w+: /);
    const [from, to] = [startOf(10), startOf(9)];
    expect(await compare(user, { from, to, baseFrom: startOf(1), baseTo: startOf(0) })).toMatchObject({
      verdict: "better",
    });
    await user.send(runs(50, 25, { tags: ["v1.0.0"], daysAgo: 1 }));
    expect(await compare(user, { release: "v1.0.0" }, 400)).toEqual({
      error: "There is no release to compare with in this time range. Give baseRelease.",
    });
    expect(await compare(user, { release: "v1.0.0", baseRelease: "v9" }, 404)).toEqual({
      error: "No runs in this time range with release v9",
    });
  });

  it("says what is missing if it cannot be told yet, and needs an agent", async () => {
    const user = await newSender(client, db);
    await user.send(runs(50, 2, { tags: ["v1.0.0"], daysAgo: 6 }));
    await user.send(runs(5, 2, { tags: ["v1.1.0"], daysAgo: 2 }));
    expect(await compare(user)).toMatchObject({
      verdict: "untested",
      sentence:
        "Whether v1.1.0 is worse than v1.0.0 cannot be told yet: one of them has fewer than 20 runs that ended.",
    });
    expectStatus(await user.get("/api/insights/releases/compare"), 400);
    expectStatus(await user.get("/api/insights/releases"), 400);
  });

  it("counts nothing of another user", async () => {
    const [user, other] = [await newSender(client, db), await newSender(client, db)];
    await other.send(runs(50, 2, { tags: ["v1.0.0"], daysAgo: 6 }));
    await other.send(runs(50, 25, { tags: ["v1.1.0"], daysAgo: 2 }));
    expect((await history(user)).releases).toEqual([]);
    expect(await compare(user)).toMatchObject({ verdict: "untested", base: { runs: 0 }, errors: [] });
    await compare(user, { release: "v1.1.0", baseRelease: "v1.0.0" }, 404);
  });
});

describe("GET /api/insights/releases", () => {
  it("lists the releases of an agent in the order in which they were rolled out, with their bad runs", async () => {
    const user = await newSender(client, db);
    await user.send(runs(3, 1, { tags: ["v2.2.4"], daysAgo: 6 }));
    await user.send(runs(4, 2, { tags: ["v2.10.0"], daysAgo: 5 }));
    await user.send(runs(5, 0, { tags: ["v2.2.3"], daysAgo: 8 }));
    await user.send(runs(2, 0, { tags: ["v2.2.3"], daysAgo: 1 }));
    await user.send(runs(1, 0, { tags: [], daysAgo: 9 }));
    const { releases } = await history(user);
    expect(releases).toMatchObject([
      { name: null, group: null, runs: 1 },
      { name: "v2.2.3", group: "2.2", runs: 7, badRuns: 0 },
      { name: "v2.2.4", group: "2.2", runs: 3, badRuns: 1 },
      { name: "v2.10.0", group: "2.10", runs: 4, badRuns: 2 },
    ]);
  });

  it("reads the same release from tags as insights count", async () => {
    const user = await newSender(client, db);
    const tagLists = [
      ["release:2026-11-02"],
      ["Version:  7 b  ", "v1.2.3"],
      ["v1.2.3", "release:x"],
      ["beta", "V1.2"],
      ["2.3.1-rc.1"],
      ["1.2"],
      ["release:"],
      ["release:a\nb", "3.4.5"],
      ["prerelease:9"],
    ];
    await user.send(
      tagLists.map((tags, index) => trace({ name: AGENT, tags, startedAt: startOf(1, index) })),
    );
    const names = (await history(user)).releases.map(({ name }: { name: string | null }) => name);
    expect(new Set(names)).toEqual(new Set(tagLists.map((tags) => releaseOf({ tags }))));
  });
});
