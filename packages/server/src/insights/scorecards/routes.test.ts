import { hash32ToHex, type Rate, signatureToHex, signDecision } from "@whytrace/contract";
import { addMember } from "@whytrace/testing/samples/add-member.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus, PASSWORD } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";

const { client, db } = await boot();

const RANGE = "from=2026-03-01T00:00:00Z&to=2026-03-08T00:00:00Z";
const TOOLS = ["refund_api", "ask_human", "issue_voucher"];
const at = (day: number, seconds = 0) => new Date(Date.UTC(2026, 2, day, 10, 0, seconds)).toISOString();

const chose = (day: number, chosen: string, overrides = {}) =>
  decision({
    chosen,
    alternatives: TOOLS.filter((tool) => tool !== chosen),
    timestamp: at(day, 1),
    reasoning: `Order ${1_000 + day} is delivered, so ${chosen} it is`,
    ...overrides,
  });

/** A run that decides once; if it failed, an error followed. */
const run = (day: number, chosen: string, status = "COMPLETED", overrides = {}) =>
  trace({
    name: "refund agent",
    status,
    startedAt: at(day),
    totalCost: 0.5,
    totalDuration: 60_000,
    tags: [day < 4 ? "v1.0" : "v1.1"],
    spans: [
      span({ id: "plan", name: "plan refund", startedAt: at(day), status }),
      span({
        id: "act",
        parentSpanId: "plan",
        startedAt: at(day, 2),
        endedAt: at(day, 5),
        costUsd: 0.25,
        status: status === "ERROR" ? "ERROR" : "COMPLETED",
      }),
    ],
    decisionPoints: [chose(day, chosen, { parentSpanId: "plan" })],
    ...overrides,
  });

const { signature } = signDecision({
  type: "TOOL_SELECTION",
  chosen: "refund_api",
  alternatives: ["ask_human", "issue_voucher"],
});
const stepOf = (chosen: string) =>
  hash32ToHex(
    signDecision({
      type: "TOOL_SELECTION",
      chosen,
      alternatives: TOOLS.filter((tool) => tool !== chosen),
    }).step,
  );
const SIGNATURE = signatureToHex(signature);

let user: Sender;
beforeAll(async () => {
  user = await newSender(client, db);
  const many = (count: number, make: (index: number) => object) =>
    Array.from({ length: count }, (_, n) => make(n));
  // refund_api fails 20 of 30 times, ask_human 2 of 30 times. Another agent decides something else.
  await user.send([
    ...many(30, (n) => run(1 + (n % 6), "refund_api", n < 20 ? "ERROR" : "COMPLETED")),
    ...many(30, (n) => run(1 + (n % 6), "ask_human", n < 2 ? "ERROR" : "COMPLETED")),
    run(2, "refund_api", "RUNNING"),
    run(9, "refund_api"),
    trace({ name: "other agent", startedAt: at(3), decisionPoints: [decision({ timestamp: at(3, 1) })] }),
    trace({ name: "no decisions", startedAt: at(3) }),
    trace({ name: "refund agent", startedAt: at(3), status: "ERROR", tags: ["v1.0"] }),
    trace({ name: "refund agent", startedAt: at(5), tags: ["release:v1.1"] }),
    trace({ name: "refund agent", startedAt: at(9), status: "ERROR" }),
  ]);
});

const rateOf = ({ decisions, failed, runs, failedRuns }: Rate) => [decisions, failed, runs, failedRuns];

describe("GET /api/insights/agents", () => {
  it("lists the agents that decided something in the whole days of the range, with runs, failures and cost", async () => {
    const { json } = expectStatus(await user.get(`/api/insights/agents?${RANGE}`), 200);
    expect(json).toEqual({
      from: "2026-03-01T00:00:00.000Z",
      to: "2026-03-08T00:00:00.000Z",
      agents: [
        { name: "refund agent", runs: 61, failedRuns: 22, decisions: 61, costUsd: 30.5 },
        { name: "other agent", runs: 1, failedRuns: 0, decisions: 1, costUsd: null },
      ],
    });
  });

  it("extends a range to whole days, and counts the last 30 days by default", async () => {
    const { json } = await user.get("/api/insights/agents?from=2026-03-03T23:00:00Z&to=2026-03-04T01:00:00Z");
    expect([json.from, json.to]).toEqual(["2026-03-03T00:00:00.000Z", "2026-03-05T00:00:00.000Z"]);
    const recent = (await user.get("/api/insights/agents")).json;
    expect(Date.parse(recent.to) - Date.parse(recent.from)).toBe(30 * 24 * 3_600_000);
    expect(Date.parse(recent.to)).toBeGreaterThan(Date.now());
  });

  it("says how many traces that an older version stored are not counted yet", async () => {
    const older = await newSender(client, db);
    await older.send([run(2, "refund_api"), run(3, "refund_api")]);
    await sql`
      update traces set decision_facts = null, agent_hash = null, decision_path = null
      where workspace_id = ${older.workspaceId} and started_at < ${at(3)}::timestamptz`.execute(db);
    const { json } = await older.get(`/api/insights/agents?${RANGE}`);
    expect(json).toMatchObject({ progress: { daysLeft: 0, tracesLeft: 1 }, agents: [{ runs: 1 }] });
  });

  it.each(["from=2026-03-02&to=2026-03-01", "from=2026-01-01&to=2026-06-01"])(
    "refuses the range %s",
    async (range) => {
      expect(expectStatus(await user.get(`/api/insights/agents?${range}`), 400).json.error).toMatch(
        /^Invalid range/,
      );
    },
  );
});

describe("GET /api/insights/decisions", () => {
  it("lists what followed each option, the most frequent decision first, and names what was never chosen", async () => {
    const { json } = expectStatus(
      await user.get(`/api/insights/decisions?${RANGE}&agent=refund%20agent`),
      200,
    );
    expect(json).toMatchObject({
      agent: "refund agent",
      runs: 61,
      failedRuns: 22,
      decisions: 61,
      isTruncated: false,
    });
    expect(json.rows).toHaveLength(1);
    const [row] = json.rows;
    expect(row).toMatchObject({
      signature: SIGNATURE,
      type: "TOOL_SELECTION",
      place: "plan refund",
      isAside: false,
      asideBy: null,
      decisions: 60,
      neverChosen: ["issue_voucher"],
    });
    expect(row.options.map(({ name, open }: { name: string; open: number }) => [name, open])).toEqual([
      ["refund_api", 1],
      ["ask_human", 0],
    ]);
    expect(rateOf(row.options[0].rate)).toEqual([30, 20, 30, 20]);
    expect(rateOf(row.options[1].rate)).toEqual([30, 2, 30, 2]);
    expect(row.shares).toEqual([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, null]);
    expect(json.releases).toEqual([
      { name: "v1.0", firstDay: "2026-03-01", runs: 31 },
      { name: "v1.1", firstDay: "2026-03-04", runs: 30 },
    ]);
  });

  it("counts only one release if asked to, and nothing of an agent that is not there", async () => {
    const { json } = await user.get(`/api/insights/decisions?${RANGE}&release=v1.1`);
    expect(json).toMatchObject({ runs: 30, decisions: 30 });
    const nobody = (await user.get(`/api/insights/decisions?${RANGE}&agent=nobody`)).json;
    expect(nobody).toMatchObject({ runs: 0, decisions: 0, rows: [], costUsd: null });
  });

  it("says what followed each option of one decision of a trace, the chosen one first", async () => {
    const sender = await newSender(client, db);
    const now = new Date().toISOString();
    const decided = (chosen: string, status: string) =>
      run(1, chosen, status, { startedAt: now, decisionPoints: [{ ...chose(1, chosen), timestamp: now }] });
    const failed = decided("ask_human", "ERROR");
    await sender.send([failed, decided("ask_human", "COMPLETED"), decided("refund_api", "COMPLETED")]);
    const path = (traceId: string, id = "") => `/api/insights/decision-points/${traceId}/${id}`;
    const [point] = failed.decisionPoints as { id: string }[];
    const { json } = expectStatus(await sender.get(path(failed.id, point?.id)), 200);
    expect(json).toMatchObject({ agent: "refund agent", signature: SIGNATURE, decisions: 3 });
    expect(
      json.options.map(({ step, rate }: { step: string; rate: Rate | null }) => [
        step,
        rate?.decisions ?? null,
      ]),
    ).toEqual([
      [stepOf("ask_human"), 2],
      [stepOf("refund_api"), 1],
      [stepOf("issue_voucher"), null],
    ]);
    for (const unknown of [path(failed.id, "unknown"), path("unknown", point?.id)])
      expectStatus(await sender.get(unknown), 404);
  });

  it("counts runs that decided nothing, and those of them that failed", async () => {
    const counts = async (query = "") => {
      const { json } = await user.get(`/api/insights/decisions?${RANGE}${query}`);
      return [json.runsWithoutDecisions, json.failedWithoutDecisions];
    };
    expect(await counts()).toEqual([3, 1]);
    const { failure } = (await user.get(`/api/insights/decisions?${RANGE}`)).json;
    const { outcomes } = (await user.get(`/api/stats/traces?${RANGE}`)).json.total;
    expect(failure).toEqual({ failed: outcomes.bad, judged: outcomes.good + outcomes.bad });
    expect(await counts("&agent=refund%20agent")).toEqual([2, 1]);
    expect(await counts("&agent=refund%20agent&release=v1.0")).toEqual([1, 1]);
    expect(await counts("&release=v1.1")).toEqual([1, 0]);
    expect(await counts("&agent=nobody")).toEqual([0, 0]);
  });

  it("puts rows in the order of their decisions", async () => {
    const { json } = await user.get(`/api/insights/decisions?${RANGE}`);
    expect(json.rows.map((row: { decisions: number }) => row.decisions)).toEqual([60, 1]);
  });

  it("says when the last decision was made if the range has none", async () => {
    const { json } = await user.get("/api/insights/decisions?from=2026-03-20&to=2026-03-25");
    expect(json).toMatchObject({ rows: [], lastDecisionAt: at(9) });
  });

  it("follows every change: a trace that is sent again with another decision, and one that is deleted", async () => {
    const other = await newSender(client, db);
    const [one, two] = [run(2, "refund_api", "ERROR"), run(3, "refund_api")];
    await other.send([one, two]);
    const options = async () => {
      const { json } = await other.get(`/api/insights/decisions?${RANGE}`);
      return json.rows.flatMap((row: { options: { name: string; rate: Rate }[] }) =>
        row.options.map(({ name, rate }) => [name, ...rateOf(rate)]),
      );
    };
    expect(await options()).toEqual([["refund_api", 2, 1, 2, 1]]);
    // Days that are over are stored now; the trace moves to another one.
    await other.send([{ ...run(5, "ask_human"), id: one.id }]);
    expect(await options()).toEqual(
      expect.arrayContaining([
        ["refund_api", 1, 0, 1, 0],
        ["ask_human", 1, 0, 1, 0],
      ]),
    );
    expectStatus(await other.delete(`/api/traces/${two.id}`), 200);
    expect(await options()).toEqual([["ask_human", 1, 0, 1, 0]]);
  });

  it("stores the figures of days that are over, and reads them the next time", async () => {
    const count = async () => {
      const { rows } = await sql<{ added: number; stale: number }>`
        select count(*) filter (where added >= changed) as added, count(*) filter (where added < changed) as stale
        from decision_days where workspace_id = ${user.workspaceId} and day < '2026-03-08'`.execute(db);
      return rows[0];
    };
    const first = (await user.get(`/api/insights/decisions?${RANGE}`)).text;
    expect(await count()).toEqual({ added: 6, stale: 0 });
    // Any change of the user's traces makes cached results outdated.
    await user.send([trace({ startedAt: at(20) })]);
    expect((await user.get(`/api/insights/decisions?${RANGE}`)).text).toBe(first);
  });
});

describe("GET /api/insights/decisions/:signature", () => {
  it("has counts, costs and durations of each option, by day, release, agent and decision before", async () => {
    const { json } = expectStatus(await user.get(`/api/insights/decisions/${SIGNATURE}?${RANGE}`), 200);
    expect(json).toMatchObject({
      signature: SIGNATURE,
      agents: ["refund agent"],
      place: "plan refund",
      isAside: false,
      asideBy: null,
      decisions: 60,
      open: 1,
      neverChosen: ["issue_voucher"],
    });
    expect(rateOf(json.rate)).toEqual([60, 22, 60, 22]);
    const [refund] = json.options;
    expect(refund).toMatchObject({
      name: "refund_api",
      offered: 60,
      open: 1,
      verdicts: { right: 0, wrong: 0 },
    });
    // Exact are 0.25 USD and 4 s.
    expect(Math.abs(refund.costUsd.p50 / 0.25 - 1)).toBeLessThan(0.1);
    expect(json.days).toHaveLength(7);
    expect(json.days[0]).toEqual({ day: "2026-03-01", counts: [5, 5] });
    expect(json.days[6]).toEqual({ day: "2026-03-07", counts: [0, 0] });
    expect(json.strata.before).toMatchObject([{ name: null, before: "0", decisions: 60, failed: 22 }]);
    expect(json.strata.release).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "v1.0", decisions: 30 }),
        expect.objectContaining({ name: "v1.1", decisions: 30 }),
      ]),
    );
    expect(json.strata.agent).toMatchObject([{ name: "refund agent", decisions: 60 }]);
  });

  it("is 404 for a decision that the range does not have, and for what is no signature", async () => {
    for (const unknown of ["00000000000001", "x"])
      expect((await user.get(`/api/insights/decisions/${unknown}?${RANGE}`)).status).toBe(404);
  });

  it("counts a run with several decisions once, and its interval is wider than that of as many runs", async () => {
    const [loops, single] = [await newSender(client, db), await newSender(client, db)];
    const failing = Array.from({ length: 5 }, () => chose(2, "refund_api"));
    const fine = Array.from({ length: 5 }, () => chose(2, "refund_api"));
    await loops.send([
      run(2, "refund_api", "ERROR", { decisionPoints: failing }),
      run(2, "refund_api", "COMPLETED", { decisionPoints: fine }),
      run(2, "refund_api", "ERROR", { decisionPoints: failing }),
    ]);
    await single.send([
      ...Array.from({ length: 10 }, () => run(2, "refund_api", "ERROR")),
      ...Array.from({ length: 5 }, () => run(2, "refund_api")),
    ]);
    const path = `/api/insights/decisions/${SIGNATURE}?${RANGE}`;
    const [many, each] = [(await loops.get(path)).json.rate, (await single.get(path)).json.rate];
    expect(rateOf(many)).toEqual([15, 10, 3, 2]);
    expect(rateOf(each)).toEqual([15, 10, 15, 10]);
    expect(many.high - many.low).toBeGreaterThan(each.high - each.low);
  });
});

describe("GET /api/insights/decisions/:signature/reasons", () => {
  it("groups what the newest decisions gave as their reason, with what followed", async () => {
    const step = stepOf("refund_api");
    const { json } = expectStatus(
      await user.get(`/api/insights/decisions/${SIGNATURE}/reasons?${RANGE}&step=${step}`),
      200,
    );
    expect(json).toMatchObject({ step, read: 30 });
    expect(json.reasons).toMatchObject([
      { text: "Order # is delivered, so refund_api it is", decisions: 30, failed: 20 },
    ]);
    const [reason] = json.reasons;
    expect((await user.get(`/api/traces/${reason.traceId}`)).status).toBe(200);
  });

  it("refuses a step that is not one", async () => {
    const response = await user.get(`/api/insights/decisions/${SIGNATURE}/reasons?${RANGE}&step=zz`);
    expect(expectStatus(response, 400).json.error).toMatch(/^Invalid step/);
  });
});

describe("PUT and DELETE /api/insights/set-aside/:signature", () => {
  it("marks a decision in the list and on its scorecard with who did it, also after they left, and ends that", async () => {
    const [other, colleague] = [await newSender(client, db), await client.newUser()];
    const prefix = await addMember(db, other, colleague, "member");
    const today = new Date().toISOString();
    await other.send([run(2, "refund_api", "COMPLETED", { startedAt: today })]);
    const aside = async () => {
      const read = async (path: string) => (await other.get(`/api/insights/decisions${path}`)).json;
      const [row, card] = [(await read("")).rows[0], await read(`/${SIGNATURE}`)];
      expect([card.isAside, card.asideBy]).toEqual([row.isAside, row.asideBy]);
      return [row.isAside, row.asideBy];
    };
    expect(await aside()).toEqual([false, null]);
    expectStatus(await colleague.put(`${prefix}/api/insights/set-aside/${SIGNATURE}`), 200);
    expect(await aside()).toEqual([true, { id: colleague.userId, name: "Ada" }]);
    // Who set it aside first is who did it.
    expectStatus(await other.put(`/api/insights/set-aside/${SIGNATURE}`), 200);
    expectStatus(await colleague.delete(`${prefix}/api/members/${colleague.userId}`), 200);
    expect(await aside()).toEqual([true, { id: colleague.userId, name: "Ada" }]);
    expectStatus(await colleague.delete("/api/account", { password: PASSWORD }), 200);
    expect(await aside()).toEqual([true, null]);
    expectStatus(await other.delete(`/api/insights/set-aside/${SIGNATURE}`), 200);
    expect(await aside()).toEqual([false, null]);
    expectStatus(await other.delete(`/api/insights/set-aside/${SIGNATURE}`), 404);
  });

  it("holds a thousand decisions at most, also when several are set aside at once", async () => {
    const other = await newSender(client, db);
    await sql`
      insert into decisions_set_aside (workspace_id, signature)
      select ${other.workspaceId}, n from generate_series(1, 999) as n`.execute(db);
    const startedAt = new Date().toISOString();
    const decisionPoints = [..."abcdefghijkl"].map((letter) =>
      decision({ chosen: letter, alternatives: ["z"] }),
    );
    expectStatus(await other.send([trace({ startedAt, decisionPoints })]), 200);
    const { rows } = (await other.get("/api/insights/decisions")).json;
    const signatures: string[] = rows.map((row: { signature: string }) => row.signature);
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        signatures.map((signature) => other.put(`/api/insights/set-aside/${signature}`)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(400)]);
      const kept = signatures[answers.findIndex(({ status }) => status === 200)];
      expectStatus(await other.put(`/api/insights/set-aside/${kept}`), 200);
      expectStatus(await other.delete(`/api/insights/set-aside/${kept}`), 200);
    }
  });
});

it("counts nothing of another user", async () => {
  const other = await newSender(client, db);
  expect((await other.get(`/api/insights/agents?${RANGE}`)).json.agents).toEqual([]);
  expect((await other.get(`/api/insights/decisions?${RANGE}`)).json.rows).toEqual([]);
  expect((await other.get(`/api/insights/decisions/${SIGNATURE}?${RANGE}`)).status).toBe(404);
});
