import { boot } from "@whytrace/testing/boot.ts";
import { expectStatus } from "@whytrace/testing/client.ts";
import { decidedRuns, signatureOf } from "@whytrace/testing/decided-runs.ts";
import { newSender, type Sender } from "@whytrace/testing/sample-traces.ts";
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
      where user_id = ${user.id} and id = (
        select id from traces where user_id = ${user.id} and tags @> array['v1.0.0'] limit 1)`.execute(db);
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
    expect(await drift(user)).toMatchObject({ rows: [{ p: null, isDrifting: false }], isFailed: false });
    const { signature } = signatureOf(OPTIONS, "search");
    expectStatus(await user.put(`/api/insights/set-aside/${signature}`), 200);
    expect((await drift(user)).rows).toEqual([]);
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

describe("decision rules", () => {
  it("that forbid an option are broken by one run that chose it, even if it is still running", async () => {
    const user = await newSender(client, db);
    const rule = await saveRule(user, { kind: "never" });
    await user.send(decidedRuns({ search: 5 }, { options: OPTIONS }));
    expect((await drift(user)).rules).toEqual([
      { rule, isKept: true, decisions: 5, chosen: 0, traceId: null },
    ]);
    const [running] = decidedRuns({ ask_human: 1 }, { options: OPTIONS, status: "RUNNING" });
    await user.send([running]);
    const report = await drift(user);
    expect(report.rules).toEqual([{ rule, isKept: false, decisions: 6, chosen: 1, traceId: running?.id }]);
    expect(report.isFailed).toBe(true);
    expect((await drift(user, "?agent=another")).rules).toEqual([]);
  });

  it("that limit a share are broken if it is clearly outside, and name a trace that shows it", async () => {
    const user = await newSender(client, db);
    const high = await saveRule(user, { kind: "share", maxShare: 0.5 });
    const low = await saveRule(user, { kind: "share", minShare: 0.4 }, "search");
    const sent = decidedRuns({ search: 10, ask_human: 11 });
    await user.send(sent);
    // 52 % of 21 may be chance.
    expect((await drift(user)).rules).toMatchObject([
      { isKept: true, decisions: 21, chosen: 11 },
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
