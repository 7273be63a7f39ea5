import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db } = await boot();

type Fields = Record<string, unknown>;
const newUser = () => newSender(client, db);
const recent = (fields: Fields = {}) =>
  trace({ startedAt: new Date(Date.now() - 60_000).toISOString(), ...fields });
async function newTrace(user: Sender, fields: Fields = {}) {
  const sent = recent(fields);
  expectStatus(await user.send([sent]), 200);
  return sent;
}
const judge = async (user: Sender, ...scores: Fields[]) =>
  expectStatus(
    await user.request("POST", "/api/scores", {
      body: { scores: scores.map((score) => ({ name: "correct", value: false, source: "judge", ...score })) },
      headers: { authorization: `Bearer ${user.key}` },
    }),
    200,
  );
const outcomeOf = async (user: Sender, id: string) =>
  expectStatus(await user.get(`/api/traces/${encodeURIComponent(id)}/outcome`), 200).json;
const define = async (user: Sender, body: Fields) =>
  expectStatus(await user.put("/api/outcomes", { agent: null, version: 0, ...body }), 200).json;
const eventually = (user: Sender, id: string) =>
  expect.poll(async () => (await outcomeOf(user, id)).outcome, { timeout: 30_000 });
const names = async (user: Sender, query: string) =>
  expectStatus(await user.get(`/api/traces?${query}`), 200)
    .json.traces.map(({ name }: { name: string }) => name)
    .sort();

/** Locks a run. Returns what lets it go. */
async function hold(user: Sender, id: string | undefined) {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = db.transaction(async (trx) => {
    await sql`select from traces where workspace_id = ${user.workspaceId} and id = ${id} for update`.execute(
      trx,
    );
    locked.resolve();
    await released.promise;
  });
  await Promise.race([locked.promise, holding]);
  return async () => {
    released.resolve();
    await holding;
  };
}

describe("the outcome of a run", () => {
  it("follows its scores at once, in every order, and is undone with them", async () => {
    const user = await newUser();
    const { id } = await newTrace(user);
    expect(await outcomeOf(user, id)).toEqual({
      outcome: "good",
      reasons: [],
      missing: [],
      definition: { agent: null, version: 0 },
    });
    await judge(user, { id: "a", traceId: id }, { id: "b", traceId: id, name: "other", value: 1 });
    expect(await outcomeOf(user, id)).toMatchObject({
      outcome: "bad",
      reasons: [{ condition: 2, kind: "evaluator", place: { kind: "run", id: null }, scoreId: "a" }],
    });
    await user.delete("/api/scores/a");
    expect((await outcomeOf(user, id)).outcome).toBe("good");
  });

  it("stays when the trace is sent again with its scores, and follows its status", async () => {
    const user = await newUser();
    const sent = await newTrace(user, { status: "RUNNING" });
    await judge(user, { traceId: sent.id });
    expect((await outcomeOf(user, sent.id)).outcome).toBe("open");
    await user.send([{ ...sent, status: "COMPLETED" }]);
    expect((await outcomeOf(user, sent.id)).outcome).toBe("bad");
    const { rows } = await sql<{ scoreCount: number }>`
      select score_count from traces where workspace_id = ${user.workspaceId}`.execute(db);
    expect(rows[0]?.scoreCount).toBe(1);
  });

  it("is 404 for a trace that is not there", async () => {
    const user = await newUser();
    expect((await user.get("/api/traces/none/outcome")).status).toBe(404);
  });
});

describe("the list of traces", () => {
  it("filters by outcome, by score and by both, and counts what it lists", async () => {
    const user = await newUser();
    const sent = await Promise.all(
      ["one", "two", "three"].map((name) =>
        newTrace(user, { name, status: name === "three" ? "ERROR" : "COMPLETED" }),
      ),
    );
    await judge(
      user,
      { traceId: sent[0]?.id, value: -0.5, label: "fail" },
      { traceId: sent[1]?.id, value: 0.5 },
      { traceId: sent[1]?.id, name: "safe", value: true },
    );
    expect(await names(user, "outcome=bad")).toEqual(["one", "three"]);
    expect(await names(user, "outcome=good&scoreName=safe")).toEqual(["two"]);
    expect(await names(user, "scoreName=correct&scoreBelow=0")).toEqual(["one"]);
    expect(await names(user, "scoreName=correct&scoreAbove=-1")).toEqual(["one", "two"]);
    expect(await names(user, "scoreName=correct&scoreIs=0.5")).toEqual(["two"]);
    expect(await names(user, "scoreName=correct&scoreIs=fail")).toEqual(["one"]);
    expect(await names(user, "scoreName=safe&scoreIs=true")).toEqual(["two"]);
    expect(await names(user, "scoreName=safe&scoreMissing=true")).toEqual(["one", "three"]);
    expect((await user.get("/api/traces?outcome=bad&limit=1")).json.total).toBe(2);
    for (const name of ["scoreIs", "scoreBelow", "scoreAbove"])
      expect((await user.get(`/api/traces?${name}=1`)).json).toEqual({
        error: `Invalid ${name}. Must be given together with scoreName.`,
      });
  });

  it("filters by whether a user was asked for a score, alone or together with whether one came", async () => {
    const user = await newUser();
    const asked = { "whytrace.feedback": ["helpful"] };
    const [answered] = await Promise.all([
      newTrace(user, { name: "asked, answered", metadata: asked }),
      newTrace(user, { name: "asked, silent", metadata: asked }),
      newTrace(user, { name: "asked for another", metadata: { "whytrace.feedback": ["stars"] } }),
      newTrace(user, { name: "not asked" }),
    ]);
    await judge(user, { traceId: answered?.id, name: "helpful", value: true, source: "user" });
    const find = (query: string) => names(user, `scoreName=helpful&${query}`);
    expect(await find("scoreAsked=yes")).toEqual(["asked, answered", "asked, silent"]);
    expect(await find("scoreAsked=yes&scoreMissing=true")).toEqual(["asked, silent"]);
    expect(await find("scoreAsked=yes&scoreIs=true")).toEqual(["asked, answered"]);
    expect(await find("scoreAsked=no")).toEqual(["asked for another", "not asked"]);
    expect(await names(user, "unasked=user,judge")).toEqual(["not asked"]);
    const judged = await newTrace(user, { name: "not asked, judged" });
    await judge(user, { traceId: judged.id, value: true, source: "judge" });
    expect(await names(user, "unasked=user,judge")).toEqual(["not asked"]);
    expect(await names(user, "unasked=user")).toEqual(["not asked", "not asked, judged"]);
  });

  it("has outcome and scores of a row only if they are asked for, also with models", async () => {
    const user = await newUser();
    const { id } = await newTrace(user);
    await judge(user, { traceId: id });
    const row = async (query: string) => (await user.get(`/api/traces?${query}`)).json.traces[0];
    expect(Object.keys(await row(""))).not.toContain("outcome");
    expect(await row("include=outcome")).toMatchObject({ outcome: "bad", scoreCount: 1 });
    expect(await row("include=models,outcome")).toMatchObject({ outcome: "bad", models: [] });
    expect((await user.get("/api/traces?include=all")).json).toEqual({
      error: "Invalid include. Must be one of: models, outcome",
    });
  });
});

describe("Why", () => {
  it("counts a bad score at its place, leaves unknown runs out, and every count leads to exactly its runs", async () => {
    const user = await newUser();
    const at = (seconds: number) => new Date(Date.now() - 600_000 + seconds * 1_000).toISOString();
    const decided = (fields: Fields = {}) => ({
      name: "decider",
      startedAt: at(0),
      endedAt: at(60),
      spans: [
        span({ id: "root", type: "AGENT", startedAt: at(0), endedAt: at(60) }),
        span({ id: "a", parentSpanId: "root", type: "CHAIN", startedAt: at(10), endedAt: at(20) }),
      ],
      decisionPoints: [
        decision({
          id: "d1",
          parentSpanId: "root",
          type: "PLANNING",
          chosen: "left",
          alternatives: ["right"],
          timestamp: at(5),
        }),
        decision({
          id: "d2",
          parentSpanId: "a",
          type: "ROUTING",
          chosen: "quick",
          alternatives: ["deep"],
          timestamp: at(12),
        }),
        decision({
          id: "d3",
          parentSpanId: "root",
          type: "PLANNING",
          chosen: "ask",
          alternatives: ["act"],
          timestamp: at(40),
        }),
      ],
      ...fields,
    });
    const failing = [span({ id: "root", type: "AGENT", status: "ERROR", startedAt: at(0), endedAt: at(60) })];
    const traces = [
      await newTrace(user, decided()),
      await newTrace(user, decided()),
      await newTrace(user, decided()),
      await newTrace(user, decided()),
      await newTrace(user, decided({ status: "ERROR", spans: failing })),
      await newTrace(user, decided({ status: "RUNNING" })),
    ];
    const [, onRun, onSpan, onDecision, failed] = traces.map(({ id }) => id);
    await judge(
      user,
      { traceId: onRun },
      { traceId: onSpan, spanId: "a" },
      { traceId: onDecision, decisionId: "d3" },
    );
    interface Option {
      name: string;
      step: string;
      unknown: number;
      rate: { decisions: number; failed: number; runs: number; failedRuns: number; recoveredRuns: number };
    }
    const check = async () => {
      const list = (await user.get("/api/insights/decisions?agent=decider")).json;
      const options: Option[] = list.rows.flatMap((row: { options: Option[] }) => row.options);
      for (const { step, rate } of options) {
        const total = async (query: string) =>
          (await user.get(`/api/traces?agent=decider&step=${step}${query}`)).json.total;
        expect([
          await total(""),
          await total("&stepOutcome=failed"),
          await total("&stepOutcome=recovered"),
        ]).toEqual([rate.runs, rate.failedRuns, rate.recoveredRuns]);
      }
      const counted = Object.fromEntries(
        options.map(({ name, rate, unknown }) => [name, [rate.decisions, rate.failed, unknown]]),
      );
      return { counted, runs: list.runs, failedRuns: list.failedRuns, leftOut: list.leftOut };
    };
    expect(await check()).toEqual({
      counted: { left: [5, 3, 0], quick: [5, 2, 0], ask: [5, 3, 0] },
      runs: 6,
      failedRuns: 4,
      leftOut: { runs: 0, missing: [] },
    });
    await define(user, {
      agent: "decider",
      bad: [
        { kind: "status", is: "ERROR" },
        { kind: "score", name: "correct", op: "is", value: false, missing: "unknown" },
      ],
    });
    await eventually(user, traces[0]?.id ?? "").toBe("unknown");
    // Until the last run is judged, no day of the older definition is counted.
    await expect.poll(check).toMatchObject({
      counted: { left: [4, 3, 1], quick: [4, 2, 1], ask: [4, 3, 1] },
      leftOut: { runs: 1, missing: [{ name: "correct", runs: 1 }] },
    });
    expect((await outcomeOf(user, failed ?? "")).outcome).toBe("bad");
  });
});

describe("a definition", () => {
  it("judges new traces at once and stored ones soon, of its agent alone", async () => {
    const user = await newUser();
    const stored = await newTrace(user, { name: "order 4711", tags: ["refunded"] });
    const other = await newTrace(user, { name: "another", tags: ["refunded"] });
    expect((await define(user, { agent: "order 1234", bad: [{ kind: "tag", is: "refunded" }] })).agent).toBe(
      "order #",
    );
    const fresh = await newTrace(user, { name: "order 5555", tags: ["refunded"] });
    expect(await outcomeOf(user, fresh.id)).toMatchObject({
      outcome: "bad",
      definition: { agent: "order #", version: 1 },
    });
    await eventually(user, stored.id).toBe("bad");
    expect(await outcomeOf(user, other.id)).toMatchObject({ outcome: "good", definition: { version: 0 } });
    expectStatus(await user.delete(`/api/outcomes?agent=${encodeURIComponent("order 9999")}`), 200);
    await eventually(user, stored.id).toBe("good");
    expect(
      (await newTrace(user, { name: "order 5555", tags: ["refunded"] })) &&
        (await user.get("/api/outcomes")).json.agents,
    ).toEqual([]);
  });

  it("of the workspace judges all agents without their own", async () => {
    const user = await newUser();
    const [one, two] = [
      await newTrace(user, { name: "one", tags: ["slow"] }),
      await newTrace(user, { name: "two", tags: ["slow"], status: "ERROR" }),
    ];
    await define(user, { agent: "two", bad: [{ kind: "feedback" }] });
    await define(user, { bad: [{ kind: "tag", is: "slow" }] });
    await eventually(user, one.id).toBe("bad");
    await eventually(user, two.id).toBe("good");
  });

  it("keeps its versions, refuses a stale one, and numbers go on after it was taken back", async () => {
    const user = await newUser();
    const bad = [{ kind: "feedback" }];
    expect(await define(user, { bad, note: "first" })).toMatchObject({
      version: 1,
      note: "first",
      createdBy: user.userId,
    });
    const stale = await user.put("/api/outcomes", { agent: null, version: 0, bad });
    expect([stale.status, stale.json]).toEqual([
      409,
      { error: "The definition was changed meanwhile (version 1)" },
    ]);
    await define(user, { bad, version: 1 });
    expectStatus(await user.delete("/api/outcomes"), 200);
    expect((await user.delete("/api/outcomes")).json).toEqual({ error: "Outcome definition not found" });
    expect((await user.get("/api/outcomes")).json.default.version).toBe(0);
    expect((await define(user, { bad })).version).toBe(4);
    const { versions } = (await user.get("/api/outcomes/versions")).json;
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([4, 2, 1]);
  });

  it("that two members save at once is saved once", async () => {
    const user = await newUser();
    const put = () => user.put("/api/outcomes", { agent: null, version: 0, bad: [{ kind: "feedback" }] });
    const statuses = (await Promise.all([put(), put(), put()])).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409, 409]);
  });

  it("judges by events and decisions, whether they came with the trace or were stored before", async () => {
    const user = await newUser();
    const withEvent = { events: [event({ id: "e", name: "handover", type: "CUSTOM" })] };
    const withDecision = { decisionPoints: [decision({ id: "d", type: "ESCALATION", chosen: "human" })] };
    const stored = [await newTrace(user, withEvent), await newTrace(user, withDecision)];
    await define(user, {
      bad: [
        { kind: "event", name: "handover" },
        { kind: "decision", option: "human" },
      ],
    });
    const fresh = [
      await newTrace(user, { events: [event({ name: "handover", type: "CUSTOM" })] }),
      await newTrace(user, { decisionPoints: [decision({ type: "ESCALATION", chosen: "human" })] }),
    ];
    for (const { id } of fresh) expect((await outcomeOf(user, id)).outcome).toBe("bad");
    for (const { id } of stored) await eventually(user, id).toBe("bad");
    expect((await outcomeOf(user, stored[0]?.id ?? "")).reasons[0].place).toEqual({ kind: "event", id: "e" });
  });

  it("judges again all runs of an agent, however many, and says how far it is until then", async () => {
    const user = await newUser();
    const newestMs = Date.now() - 60_000;
    const startedAt = (index: number) => new Date(newestMs - index * 1_000).toISOString();
    const runs = Array.from({ length: 1_200 }, (_, index) =>
      recent({ name: "many", startedAt: startedAt(index) }),
    );
    await user.send(runs);
    const progress = async () => expectStatus(await user.get("/api/outcomes"), 200).json.progress;
    const definition = { agent: "many", bad: [{ kind: "cost", above: 1, missing: "unknown" }] };
    // The worker judges 500 runs at once, the newest first, and waits for a run that somebody holds.
    const releaseFirst = await hold(user, runs[100]?.id);
    const releaseSecond = await hold(user, runs[700]?.id);
    try {
      const { version } = await define(user, definition);
      expect(await progress()).toEqual({ agent: "many", version, countedFrom: null, tracesLeft: 1_200 });
      await releaseFirst();
      await expect.poll(async () => (await progress())?.tracesLeft, { timeout: 30_000 }).toBe(700);
      expect(Date.parse((await progress()).countedFrom)).toBe(Date.parse(startedAt(499)));
    } finally {
      await Promise.all([releaseFirst(), releaseSecond()]);
    }
    const left = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from traces where workspace_id = ${user.workspaceId} and outcome <> 2`.execute(
        db,
      );
      return rows[0]?.count;
    };
    await expect.poll(left, { timeout: 30_000 }).toBe(0);
    await expect.poll(progress, { timeout: 30_000 }).toBeNull();
  });

  it("finds runs that another server stored by an older version meanwhile, also those that it replaced", async () => {
    const user = await newUser();
    const { id } = await newTrace(user, { name: "late", tags: ["refunded"] });
    await define(user, { agent: "late", bad: [{ kind: "tag", is: "refunded" }] });
    await eventually(user, id).toBe("bad");
    // As a server would write it that has not read the definition yet.
    await sql`
      update traces set outcome = 0, definition = 0, created_at = now() - interval '3 days'
      where workspace_id = ${user.workspaceId}`.execute(db);
    await eventually(user, id).toBe("bad");
  });

  it("can be previewed, which changes nothing", async () => {
    const user = await newUser();
    const [slow, failed] = [
      await newTrace(user, { name: "bot", totalDuration: 100 }),
      await newTrace(user, {
        name: "bot",
        status: "ERROR",
        totalDuration: 1,
        metadata: { "whytrace.feedback": ["helpful"] },
      }),
    ];
    await judge(user, { traceId: slow.id, name: "helpful", value: true, source: "user" });
    const bad = [
      { kind: "duration", aboveMs: 10 },
      { kind: "score", name: "helpful", op: "is", value: false },
    ];
    const preview = expectStatus(await user.post("/api/outcomes/preview", { agent: "bot", bad }), 200).json;
    expect(preview).toMatchObject({
      runs: 2,
      isSampled: false,
      before: { good: 1, bad: 1 },
      after: { good: 1, bad: 1 },
      changed: 2,
      changes: [
        { before: "bad", after: "good", runs: 1 },
        { before: "good", after: "bad", runs: 1 },
      ],
      matched: [1, 0],
      coverage: [{ condition: 1, asked: 1, answered: 1, bad: 0 }],
    });
    expect(preview.examples.map(({ traceId }: { traceId: string }) => traceId).sort()).toEqual(
      [slow.id, failed.id].sort(),
    );
    expect((await user.get("/api/outcomes")).json.agents).toEqual([]);
    expect((await outcomeOf(user, slow.id)).outcome).toBe("good");
  });
});
