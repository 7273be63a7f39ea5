import type { DriftRow } from "@whytrace/contract";
import { otlpRun } from "@whytrace/lab/worlds/otlp-run.ts";
import type { WorldRun } from "@whytrace/lab/worlds/world.ts";
import { otlpId, sendOtlp } from "@whytrace/testing/otlp/sample-otlp.ts";
import { decidedRuns, signatureOf } from "@whytrace/testing/samples/decided-runs.ts";
import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db } = await boot();

const OPTIONS = ["search", "ask_human"];
const BEFORE = { search: 70, ask_human: 30 };
const AFTER = { search: 30, ask_human: 70 };

async function sendReleases(user: Sender) {
  await user.send(decidedRuns(BEFORE, { tags: ["v1.0.0", "canary:no"], daysAgo: 5 }));
  await user.send(decidedRuns(AFTER, { tags: ["v1.1.0", "canary:yes"], daysAgo: 2 }));
}

const drift = async (user: Sender, query = "", status = 200) =>
  expectStatus(await user.get(`/api/insights/drift${query}`), status).json;
const saveRule = async (user: Sender, fields: object, option = "ask_human") =>
  expectStatus(
    await user.post("/api/insights/rules", {
      agent: "support agent",
      type: "TOOL_SELECTION",
      option,
      ...signatureOf(OPTIONS, option),
      ...fields,
    }),
    201,
  ).json;

describe("GET /api/insights/drift", () => {
  it("compares the newest release with the one before it, and names what moved", async () => {
    const user = await newSender(client, db);
    await sendReleases(user);
    const report = await drift(user);
    expect(report).toMatchObject({
      base: { release: "v1.0.0", tag: null, runs: 100, decisions: 100 },
      current: { release: "v1.1.0", tag: null, runs: 100, decisions: 100 },
      rules: [],
      untested: 0,
      isFailed: true,
    });
    expect(report.rows).toEqual([
      {
        signature: signatureOf(OPTIONS, "search").signature,
        agent: "support agent",
        type: "TOOL_SELECTION",
        options: expect.arrayContaining([
          { step: signatureOf(OPTIONS, "search").step, name: "search", base: 70, current: 30 },
          { step: signatureOf(OPTIONS, "ask_human").step, name: "ask_human", base: 30, current: 70 },
        ]),
        baseDecisions: 100,
        currentDecisions: 100,
        distance: expect.closeTo(0.4, 8),
        p: expect.any(Number),
        isTestable: true,
        untested: null,
        isDrifting: true,
      },
    ]);
    expect(report.rows[0].p).toBeLessThan(1e-6);
    expect(report.progress).toBeUndefined();
  });

  it("says how many traces that an older version stored are not counted yet", async () => {
    const user = await newSender(client, db);
    await sendReleases(user);
    await sql`
      update traces set decision_facts = null, agent_hash = null, decision_path = null
      where workspace_id = ${user.workspaceId} and id = (
        select id from traces where workspace_id = ${user.workspaceId} and tags @> array['v1.0.0'] limit 1)`.execute(
      db,
    );
    for (const query of ["", "?tag=canary:yes&baseTag=canary:no"])
      expect((await drift(user, query)).progress).toEqual({ daysLeft: 0, tracesLeft: 1 });
  });

  it("compares named releases, tags and time ranges, each with the other side by default", async () => {
    const user = await newSender(client, db);
    await sendReleases(user);
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    const sides = async (query: string) => {
      const { base, current, isFailed } = await drift(user, query);
      return [
        base.release ?? base.tag ?? base.runs,
        current.release ?? current.tag ?? current.runs,
        isFailed,
      ];
    };
    expect(await sides("?release=v1.1.0&baseRelease=v1.0.0")).toEqual(["v1.0.0", "v1.1.0", true]);
    expect(await sides("?release=v1.0.0&baseRelease=v1.0.0")).toEqual(["v1.0.0", "v1.0.0", false]);
    expect(await sides("?release=v1.1.0")).toEqual(["v1.0.0", "v1.1.0", true]);
    expect(await sides("?baseRelease=v1.0.0")).toEqual(["v1.0.0", "v1.1.0", true]);
    expect(await sides("?tag=canary:yes&baseTag=canary:no")).toEqual(["canary:no", "canary:yes", true]);
    expect(await sides(`?from=${day(3)}`)).toEqual([100, 100, true]);
    expect(await sides(`?from=${day(3)}&baseFrom=${day(3)}&baseTo=${day(0)}`)).toEqual([100, 100, false]);
    expect(await sides("?agent=another%20agent")).toEqual([0, 0, false]);
  });

  it("compares the last 7 days with the 7 before them where there are no releases", async () => {
    const user = await newSender(client, db);
    await user.send(decidedRuns(BEFORE, { daysAgo: 8 }));
    await user.send(decidedRuns(BEFORE, { daysAgo: 1 }));
    const { base, current, rows, isFailed } = await drift(user);
    expect([base.runs, current.runs, isFailed]).toEqual([100, 100, false]);
    expect(Date.parse(current.from) - Date.parse(base.from)).toBe(7 * 86_400_000);
    expect(base.to).toBe(current.from);
    expect(rows).toMatchObject([{ distance: 0, isDrifting: false }]);
  });

  it("refuses what cannot be compared, and a release or tag without runs", async () => {
    const user = await newSender(client, db);
    await user.send(decidedRuns({ search: 3 }, { tags: ["v1.0.0"] }));
    for (const [query, status, error] of [
      ["?release=v2.0.0&baseRelease=v1.0.0", 404, "No runs in this time range with release v2.0.0"],
      ["?tag=a&baseTag=b", 404, "No runs in this time range with tag b"],
      ["?tag=a", 400, "tag and baseTag must be given together."],
      [
        "?tag=a&release=v1.0.0",
        400,
        "Compare releases, tags or time ranges: release and tag cannot be combined.",
      ],
      ["?release=v1.0.0", 400, "There is no release to compare with in this time range. Give baseRelease."],
      ["?from=yesterday", 400, "Invalid from parameter. Must be a valid ISO date string."],
    ] as const)
      expect(await drift(user, query, status)).toEqual({ error });
  });

  it("neither tests fewer than 20 decisions nor compares what is set aside", async () => {
    const user = await newSender(client, db);
    await user.send(decidedRuns({ search: 10, ask_human: 9 }, { tags: ["v1.0.0"], daysAgo: 5 }));
    await user.send(decidedRuns({ search: 0, ask_human: 90 }, { tags: ["v1.1.0"] }));
    expect(await drift(user)).toMatchObject({
      rows: [{ p: null, isTestable: false, untested: "few-decisions", isDrifting: false }],
      untested: 1,
      isFailed: false,
    });
    const { signature } = signatureOf(OPTIONS, "search");
    expectStatus(await user.put(`/api/insights/set-aside/${signature}`), 200);
    expect(await drift(user)).toMatchObject({ rows: [], untested: 0 });
  });

  it("names why a decision cannot be tested", async () => {
    const user = await newSender(client, db);
    const day = (tags: string[], daysAgo: number) => ({ tags, daysAgo });
    const [before, after] = [day(["v1.0.0"], 5), day(["v1.1.0"], 2)];
    // Of the same option, with and without a known alternative.
    await user.send(decidedRuns({ only: 30 }, { ...before, name: "sure" }));
    await user.send(decidedRuns({ only: 30 }, { ...after, name: "sure" }));
    await user.send(decidedRuns({ only: 30 }, { ...before, name: "offered", options: ["only", "other"] }));
    await user.send(decidedRuns({ only: 30 }, { ...after, name: "offered", options: ["only", "other"] }));
    await user.send(decidedRuns(AFTER, { ...after, name: "new" }));
    const sessions = (runs: ReturnType<typeof decidedRuns>) =>
      runs.map((run, index) => ({ ...run, sessionId: `session ${index % 9}` }));
    await user.send(sessions(decidedRuns(BEFORE, { ...before, name: "chat" })));
    await user.send(sessions(decidedRuns(AFTER, { ...after, name: "chat" })));
    const { rows, untested, isFailed } = await drift(user, "?release=v1.1.0&baseRelease=v1.0.0");
    const reasons = rows.map((row: DriftRow) => [row.agent, row.untested, row.isTestable]);
    expect(Object.fromEntries(reasons.map(([agent, reason]: string[]) => [agent, reason]))).toEqual({
      sure: "one-option",
      offered: null,
      new: "one-side",
      chat: "few-sessions",
    });
    expect(reasons.every(([, reason, isTestable]: unknown[]) => isTestable === (reason === null))).toBe(true);
    expect([untested, isFailed]).toEqual([3, false]);
  });

  it("does not take sessions that differ for drift, whether releases or tags are compared", async () => {
    const user = await newSender(client, db);
    // Each of 20 sessions on a side chose the same option ten times: 12 of them search, then 8.
    const sessions = (searching: number, given: { tags: string[]; daysAgo: number }) =>
      decidedRuns({ search: 10 * searching, ask_human: 10 * (20 - searching) }, given).map((run, index) => ({
        ...run,
        sessionId: `${given.tags[0]} ${Math.floor(index / 10)}`,
      }));
    await user.send(sessions(12, { tags: ["v1.0.0", "canary:no"], daysAgo: 5 }));
    await user.send(sessions(8, { tags: ["v1.1.0", "canary:yes"], daysAgo: 2 }));
    for (const query of ["", "?tag=canary:yes&baseTag=canary:no"]) {
      const { rows, untested } = await drift(user, query);
      expect(rows).toMatchObject([{ distance: expect.closeTo(0.2, 8), isDrifting: false }]);
      expect(rows[0].p).toBeGreaterThan(0.1);
      expect(untested).toBe(0);
    }
  });

  it("counts nothing of another user", async () => {
    const [user, other] = [await newSender(client, db), await newSender(client, db)];
    await sendReleases(other);
    await saveRule(other, { kind: "never" });
    expect(await drift(user)).toMatchObject({ base: { runs: 0 }, current: { runs: 0 }, rows: [], rules: [] });
    await user.send(decidedRuns({ search: 1 }, { tags: ["canary:no"] }));
    await drift(user, "?tag=canary:yes&baseTag=canary:no", 404);
  });
});

/** A hundred runs that an agent reports by OpenTelemetry, each with one call of a tool: of each tool so many tenths. */
function reportedRuns(
  tenths: Readonly<Record<string, number>>,
  {
    release,
    daysAgo,
    hasDefinitions = false,
  }: { release: string; daysAgo: number; hasDefinitions?: boolean },
) {
  const tools = Object.keys(tenths);
  const calls = tools.flatMap((tool) => new Array<string>(10 * (tenths[tool] ?? 0)).fill(tool));
  const agent = { tools, guilty: [], run: () => NO_RUN };
  const sent = calls.map((tool, index) =>
    otlpRun({ ...NO_RUN, release, turns: [[{ tool, error: null }]] }, agent, {
      traceId: otlpId(16),
      agent: "support",
      startedAtMs: Date.now() - daysAgo * 86_400_000 + 1_000 * index,
      hasDefinitions,
    }),
  );
  return { resourceSpans: sent };
}

const NO_RUN: WorldRun = {
  turns: [],
  status: "COMPLETED",
  message: null,
  isScoredBad: false,
  session: null,
  release: null,
  situation: null,
  sampleProbability: 1,
  culprits: [],
  missing: null,
};

describe("GET /api/insights/drift of agents that report by OpenTelemetry", () => {
  const report = async (user: Sender, ...requests: object[]) => {
    for (const request of requests) expectStatus(await sendOtlp(client, user.key, request), 200);
  };

  it.each([
    ["without definitions of tools", false, false],
    ["with definitions of tools", true, true],
    ["with definitions in the newer version only", false, true],
  ])(
    "finds a share that goes from a tenth to nine between two service.version, %s",
    async (_, before, after) => {
      const user = await newSender(client, db);
      await report(
        user,
        reportedRuns({ refund: 1, lookup: 9 }, { release: "spring", daysAgo: 5, hasDefinitions: before }),
        reportedRuns({ refund: 9, lookup: 1 }, { release: "summer", daysAgo: 2, hasDefinitions: after }),
      );
      const found = await drift(user);
      expect(found).toMatchObject({
        base: { release: "spring", runs: 100 },
        current: { release: "summer", runs: 100 },
        rows: [{ agent: "support", distance: expect.closeTo(0.8, 8), isDrifting: true }],
        untested: 0,
        isFailed: true,
      });
      expect(await drift(user, "?release=summer&baseRelease=spring")).toEqual(found);
    },
  );

  it.each([false, true])(
    "finds a version that adds a tool, by its share (definitions: %s)",
    async (hasDefinitions) => {
      const user = await newSender(client, db);
      await report(
        user,
        reportedRuns({ refund: 5, lookup: 5 }, { release: "1.4", daysAgo: 5, hasDefinitions }),
        reportedRuns({ refund: 4, lookup: 4, escalate: 2 }, { release: "1.5", daysAgo: 2, hasDefinitions }),
      );
      const { rows, untested, isFailed } = await drift(user);
      expect(rows).toMatchObject([{ isDrifting: true, baseDecisions: 100, currentDecisions: 100 }]);
      expect(rows[0].options).toContainEqual(
        expect.objectContaining({ name: "escalate", base: 0, current: 20 }),
      );
      expect([untested, isFailed]).toEqual([0, true]);
    },
  );

  it("has releases that filters find", async () => {
    const user = await newSender(client, db);
    await report(
      user,
      reportedRuns({ refund: 1 }, { release: "spring", daysAgo: 5 }),
      reportedRuns({ lookup: 2 }, { release: "summer", daysAgo: 2 }),
    );
    const runsOf = async (release: string) =>
      expectStatus(await user.get(`/api/traces?release=${release}&limit=100`), 200).json.traces.length;
    expect(await runsOf("spring")).toBe(10);
    expect(await runsOf("summer")).toBe(20);
    expect(await runsOf("autumn")).toBe(0);
    expect(await drift(user, "?release=autumn&baseRelease=spring", 404)).toEqual({
      error: "No runs in this time range with release autumn",
    });
  });
});

describe("decision rules", () => {
  it("that forbid an option are broken by one run that chose it, even if it is still running", async () => {
    const user = await newSender(client, db);
    const rule = await saveRule(user, { kind: "never" });
    await user.send(decidedRuns({ search: 5 }, { options: OPTIONS }));
    expect((await drift(user)).rules).toEqual([
      { rule, isKept: true, isTestable: true, decisions: 5, chosen: 0, traceId: null },
    ]);
    const [running] = decidedRuns({ ask_human: 1 }, { options: OPTIONS, status: "RUNNING" });
    await user.send([running]);
    const report = await drift(user);
    expect(report.rules).toEqual([
      { rule, isKept: false, isTestable: true, decisions: 6, chosen: 1, traceId: running?.id },
    ]);
    expect(report.isFailed).toBe(true);
    expect((await drift(user, "?agent=another")).rules).toEqual([]);
  });

  it("that limit a share are broken if it is clearly outside, and name a trace that shows it", async () => {
    const user = await newSender(client, db);
    const high = await saveRule(user, { kind: "share", maxShare: 0.5 });
    const low = await saveRule(user, { kind: "share", minShare: 0.4 }, "search");
    const sent = decidedRuns({ search: 10, ask_human: 11 });
    await user.send(sent.slice(2));
    expect((await drift(user)).rules).toMatchObject([
      { isKept: true, isTestable: false, decisions: 19 },
      { isKept: true, isTestable: false, decisions: 19 },
    ]);
    await user.send(sent);
    // 52 % of 21 may be chance.
    expect((await drift(user)).rules).toMatchObject([
      { isKept: true, isTestable: true, decisions: 21, chosen: 11 },
      { isKept: true, decisions: 21, chosen: 10 },
    ]);
    const more = decidedRuns({ ask_human: 60 }, { options: OPTIONS });
    await user.send(more);
    const { rules, isFailed } = await drift(user);
    expect(rules).toMatchObject([
      { rule: { id: high.id }, isKept: false, decisions: 81, chosen: 71 },
      { rule: { id: low.id }, isKept: false, decisions: 81, chosen: 10 },
    ]);
    const askedHuman = [...sent.slice(10), ...more].map(({ id }) => id);
    for (const { traceId } of rules) expect(askedHuman).toContain(traceId);
    expect(isFailed).toBe(true);
  });
});
