import { randomUUID } from "node:crypto";
import { hash32ToHex, signatureToHex, signDecision } from "@whytrace/contract";
import { prefixOf } from "@whytrace/testing/samples/add-member.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { HookReceiver } from "@whytrace/testing/server/hook-receiver.ts";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";

const receiver = new HookReceiver();
const origin = await receiver.listen();
const SETTINGS = { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32", ALERT_TICK: "1s" };
const booted = await boot(SETTINGS);
const { client, db } = booted;

const MINUTE = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();
const runs = (count: number, overrides: object) =>
  Array.from({ length: count }, () => trace({ name: "support-agent", startedAt: ago(5), ...overrides }));
const rate = (overrides: object = {}) => ({
  kind: "failure_rate",
  name: "support fails",
  agent: "support-agent",
  above: 0.5,
  forMinutes: 0,
  ...overrides,
});

async function newHook(user: Sender) {
  const path = `/${randomUUID()}`;
  const events = ["alert.firing", "alert.recovered", "alert.no_data"];
  expectStatus(
    await user.post("/api/alerts/channels", { kind: "webhook", name: "ops", url: origin + path, events }),
    201,
  );
  return { said: () => receiver.at(path).map(({ json }) => json.type), received: () => receiver.at(path) };
}
const newRule = async (user: Sender, body: object) =>
  expectStatus(await user.post("/api/alerts/rules", body), 201).json;
const ruleOf = async (user: Sender, id: string) =>
  (await user.get("/api/alerts/rules")).json.rules.find((one: { id: string }) => one.id === id);
const becomes = (user: Sender, id: string, state: string) =>
  vi.waitFor(async () => expect((await ruleOf(user, id)).state).toBe(state), {
    timeout: 60_000,
    interval: 100,
  });

/** Waits until the rules of a workspace were checked twice, so once with all that was there before, and until all was sent. */
async function untilChecked({ workspaceId }: Sender) {
  const checkedAt = async () => {
    const { rows } = await sql<{ checkedAt: string }>`
      select checked_at::text from alert_cursors where workspace_id = ${workspaceId}`.execute(db);
    return rows[0]?.checkedAt;
  };
  for (let checks = 0; checks < 2; checks += 1) {
    const before = await checkedAt();
    await vi.waitFor(async () => expect(await checkedAt()).not.toBe(before), 30_000);
  }
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select from alert_deliveries
      where workspace_id = ${workspaceId} and state in ('waiting', 'sending', 'retrying')`.execute(db);
    expect(rows).toEqual([]);
  }, 30_000);
}

describe("a rule", () => {
  it.each([
    [rate({ kind: "bad" }), /^kind must be one of: failure_rate, /],
    [rate({ name: "" }), "name must be between 1 and 100 characters"],
    [{ kind: "no_runs", name: "x" }, "agent must be given"],
    [rate({ windowMinutes: 1 }), "windowMinutes must be between 5 and 1440"],
    [rate({ above: 2 }), "above must be between 0 and 1"],
    [{ kind: "cost_per_day", name: "x" }, "above must be given"],
    [{ kind: "score_mean", name: "x", agent: "a" }, "below must be given"],
    [{ kind: "score_mean", name: "x", agent: "a", below: 1 }, "score must be given"],
    [rate({ comparedWith: "past" }), "above and comparedWith exclude each other"],
    [rate({ forMinutes: -1 }), "forMinutes must be between 0 and 1440"],
    [rate({ sensitivity: "extreme" }), "sensitivity must be one of: low, normal, high"],
    [rate({ renotifyHours: 2 }), "renotifyHours must be one of: 1, 4, 24"],
    [rate({ channels: ["x"] }), "channels must be at most 20 ids"],
  ])("names the first fault of %j", async (body, error) => {
    const user = await newSender(client, db);
    const response = await user.post("/api/alerts/rules", body);
    expect(response.status).toBe(400);
    expect(response.json.error).toEqual(typeof error === "string" ? error : expect.stringMatching(error));
    expect((await user.post("/api/alerts/rules/preview", body)).json).toEqual(response.json);
  });

  it("is one of at most 100, and another workspace's does not exist", async () => {
    const [user, other] = [await newSender(client, db), await newSender(client, db)];
    const { id } = await newRule(user, rate());
    await sql`
      insert into alert_rules (workspace_id, id, kind, name, condition)
      select workspace_id, gen_random_uuid(), kind, name, condition from alert_rules, generate_series(1, 98)
      where workspace_id = ${user.workspaceId}`.execute(db);
    const answered = await Promise.all([1, 2, 3].map(() => user.post("/api/alerts/rules", rate())));
    expect(answered.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answered.find(({ status }) => status === 409)?.json).toEqual({
      error: "Rule limit reached (100)",
    });
    for (const response of [
      await other.patch(`/api/alerts/rules/${id}`, { name: "mine" }),
      await other.delete(`/api/alerts/rules/${id}`),
      await other.post(`/api/alerts/rules/${id}/mute`, { until: ago(-60) }),
    ])
      expect([response.status, response.json]).toEqual([404, { error: "Rule not found" }]);
  });

  it("fires once, recovers once, and keeps what happened", async () => {
    const user = await newSender(client, db);
    const { said, received } = await newHook(user);
    const { id } = await newRule(user, rate());
    await user.send([...runs(30, { status: "ERROR" }), ...runs(4, { status: "RUNNING" })]);
    await becomes(user, id, "firing");
    await vi.waitFor(() => expect(said()).toEqual(["alert.firing"]), 30_000);
    const { data } = received()[0]?.json ?? {};
    expect(data).toMatchObject({
      rule: { id, name: "support fails", agent: "support-agent" },
      runs: 30,
      value: 1,
    });
    const link = new URL(data.url);
    const prefix = await prefixOf(db, user);
    expect(link.pathname).toBe(`${prefix}/traces`);
    const listed = await client.request("GET", `${prefix}/api/traces${link.search}`, {
      headers: { cookie: user.cookie ?? "" },
    });
    expect(listed.json.total).toBe(30);
    await untilChecked(user);
    expect(said()).toEqual(["alert.firing"]);
    await user.send(runs(120, {}));
    await becomes(user, id, "ok");
    await vi.waitFor(() => expect(said()).toEqual(["alert.firing", "alert.recovered"]), 30_000);
    const { incidents } = (await user.get(`/api/alerts/incidents?ruleId=${id}`)).json;
    expect(incidents).toMatchObject([
      { ruleId: id, peak: 1, endedAt: expect.any(String), reason: "recovered" },
    ]);
  });

  it("has no data below its minimum, and says how much is missing", async () => {
    const user = await newSender(client, db);
    const { id } = await newRule(user, rate());
    await user.send(runs(19, { status: "ERROR" }));
    await vi.waitFor(
      async () =>
        expect(await ruleOf(user, id)).toMatchObject({
          state: "no_data",
          reason: "19 of the 20 runs that are needed",
        }),
      30_000,
    );
  });

  it("that is muted or in maintenance changes in silence, and says at its end what still fires", async () => {
    const user = await newSender(client, db);
    const { said } = await newHook(user);
    const { id } = await newRule(user, rate());
    expect((await user.post(`/api/alerts/rules/${id}/mute`, { until: ago(1) })).json).toEqual({
      error: "until must be in the future",
    });
    expectStatus(await user.post(`/api/alerts/rules/${id}/mute`, { until: ago(-60) }), 200);
    await user.send(runs(30, { status: "ERROR" }));
    await becomes(user, id, "firing");
    const planned = expectStatus(
      await user.post("/api/alerts/maintenance", { from: ago(1), to: ago(-60), note: "migration" }),
      201,
    ).json;
    expectStatus(await user.delete(`/api/alerts/rules/${id}/mute`), 200);
    await untilChecked(user);
    expect(said()).toEqual([]);
    expectStatus(await user.delete(`/api/alerts/maintenance/${planned.id}`), 200);
    await vi.waitFor(() => expect(said()).toEqual(["alert.firing"]), 30_000);
  });

  it("whose condition is changed begins anew and ends its incident without a message; its name may change", async () => {
    const user = await newSender(client, db);
    const { said } = await newHook(user);
    const { id } = await newRule(user, rate());
    await user.send(runs(30, { status: "ERROR" }));
    await becomes(user, id, "firing");
    await vi.waitFor(() => expect(said()).toEqual(["alert.firing"]), 30_000);
    expect((await user.patch(`/api/alerts/rules/${id}`, { name: "renamed" })).json).toMatchObject({
      name: "renamed",
      state: "firing",
    });
    const changed = (await user.patch(`/api/alerts/rules/${id}`, { comparedWith: "past" })).json;
    expect(changed).toMatchObject({ state: "no_data", comparedWith: "past", above: null });
    const { incidents } = (await user.get("/api/alerts/incidents")).json;
    expect(incidents).toMatchObject([{ reason: "The rule was changed" }]);
    await untilChecked(user);
    expect(said()).toEqual(["alert.firing"]);
  });

  it("fires on costs, durations, scores and missing runs", async () => {
    const user = await newSender(client, db);
    const sent = runs(60, { totalCost: 2, totalDuration: 5_000, startedAt: ago(30) });
    await user.send(sent);
    const scores = sent.map(({ id: traceId }) => ({ traceId, name: "helpful", value: 0.2 }));
    expectStatus(await user.post("/api/scores", { scores }), 200);
    const agent = "support-agent";
    const made = [
      { kind: "cost_per_run", above: 1, agent },
      { kind: "cost_per_day", above: 100 },
      { kind: "duration_p95", above: 4_000, agent },
      { kind: "score_mean", score: "helpful", below: 0.5, agent },
      { kind: "no_runs", forMinutes: 20, agent },
    ];
    for (const body of made) {
      const { id } = await newRule(user, { name: body.kind, forMinutes: 0, ...body });
      // Just after midnight, runs of half an hour ago are yesterday's, and just before it they become so.
      const [earlier, later] = [ago(35), ago(-5)].map((at) => at.slice(0, 10));
      const isYesterday = body.kind === "cost_per_day" && earlier !== later;
      if (!isYesterday) await becomes(user, id, "firing");
    }
  });

  it("fires if the newest release chooses differently, or breaks a decision rule", async () => {
    const user = await newSender(client, db);
    const chosen = (release: string, tool: string, count: number) =>
      Array.from({ length: count }, () =>
        trace({
          name: "support-agent",
          startedAt: ago(release === "1" ? 2 * 24 * 60 : 60),
          tags: [`release:${release}`],
          decisionPoints: [
            decision({
              chosen: { tool },
              alternatives: [{ tool: tool === "search" ? "cache" : "search" }],
              timestamp: ago(60),
            }),
          ],
        }),
      );
    await user.send([...chosen("1", "search", 60), ...chosen("1", "cache", 5)]);
    await user.send([...chosen("2", "search", 5), ...chosen("2", "cache", 60)]);
    const { signature, step, option } = signDecision({
      type: "TOOL_SELECTION",
      chosen: { tool: "cache" },
      alternatives: [{ tool: "search" }],
    });
    const agent = "support-agent";
    const never = { agent, type: "TOOL_SELECTION", option, kind: "never" };
    expectStatus(
      await user.post("/api/insights/rules", {
        ...never,
        signature: signatureToHex(signature),
        step: hash32ToHex(step),
      }),
      201,
    );
    for (const kind of ["drift", "decision_rule"]) {
      const { id } = await newRule(user, { kind, name: kind, agent, forMinutes: 0 });
      await becomes(user, id, "firing");
      expect((await ruleOf(user, id)).value).toBe(1);
    }
    const { id } = await newRule(user, { kind: "drift", name: "other", agent: "nobody", forMinutes: 0 });
    await vi.waitFor(async () => expect((await ruleOf(user, id)).reason).not.toBeNull(), 30_000);
    expect((await ruleOf(user, id)).state).toBe("no_data");
  });

  it("is checked by one of two servers: it fires once", async () => {
    await boot({ ...SETTINGS, DATABASE_URL: booted.databaseUrl });
    const user = await newSender(client, db);
    const { said } = await newHook(user);
    const { id } = await newRule(user, rate());
    await user.send(runs(30, { status: "ERROR" }));
    await becomes(user, id, "firing");
    await vi.waitFor(() => expect(said()).toEqual(["alert.firing"]), 30_000);
    await untilChecked(user);
    expect(said()).toEqual(["alert.firing"]);
    expect((await user.get("/api/alerts/incidents")).json.total).toBe(1);
  });
});

describe("maintenance", () => {
  it("refuses times that are over, too long or the wrong way round, and more than 20", async () => {
    const user = await newSender(client, db);
    const post = (from: string, to: string) => user.post("/api/alerts/maintenance", { from, to });
    const range = { error: "from must be before to, and both at most 14 days apart" };
    expect((await post(ago(0), ago(1))).json).toEqual(range);
    expect((await post(ago(0), ago(-15 * 24 * 60))).json).toEqual(range);
    expect((await post(ago(2), ago(1))).json).toEqual({ error: "to must be in the future" });
    for (let i = 0; i < 20; i += 1) expectStatus(await post(ago(0), ago(-60)), 201);
    expect((await post(ago(0), ago(-60))).json).toEqual({ error: "Maintenance limit reached (20)" });
    expect((await user.get("/api/alerts/maintenance")).json.maintenance).toHaveLength(20);
  });
});

describe("a preview", () => {
  it("says when a rule would have fired, by history, and stores nothing", async () => {
    const user = await newSender(client, db);
    const day = 24 * 60;
    const quiet = Array.from({ length: 20 * 24 }, (_, i) =>
      trace({
        name: "support-agent",
        status: i % 12 === 0 ? "ERROR" : "COMPLETED",
        startedAt: ago((Math.floor(i / 24) + 1.5) * day - (i % 24) * 20),
      }),
    );
    const outage = Array.from({ length: 40 }, (_, i) =>
      trace({ name: "support-agent", status: "ERROR", startedAt: ago(5 * day - i) }),
    );
    await user.send([...quiet, ...outage]);
    const rule = { kind: "failure_rate", name: "x", agent: "support-agent", comparedWith: "past" };
    const preview = expectStatus(await user.post("/api/alerts/rules/preview", rule), 200).json;
    expect([preview.wouldHaveFired, preview.reason]).toEqual([1, null]);
    expect(Date.parse(preview.firings[0].from)).toBeGreaterThan(Date.parse(ago(5 * day)));
    expect(Date.parse(preview.firings[0].from)).toBeLessThan(Date.parse(ago(5 * day - 60)));
    expect(preview.points.length).toBeGreaterThan(0);
    expect(preview.points.length).toBeLessThanOrEqual(1_000);
    expect(preview.baseline.runs).toBeGreaterThan(200);
    expect((await user.get("/api/alerts/rules")).json.rules).toEqual([]);
    const nobody = (await user.post("/api/alerts/rules/preview", { ...rule, agent: "nobody" })).json;
    expect([nobody.wouldHaveFired, nobody.reason]).toEqual([0, "0 of the 200 runs that are needed"]);
  });

  it("is refused beyond 10 a minute", async () => {
    const user = await newSender(client, db);
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1)
      statuses.push((await user.post("/api/alerts/rules/preview", rate())).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
  });
});
