import { randomUUID } from "node:crypto";
import type { Blame, Suspect } from "@whytrace/contract";
import { startCpuStopwatch } from "@whytrace/testing/cpu-stopwatch.ts";
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
import { describe, expect, it } from "vitest";
import { MAX_SUSPECTS } from "./describe-suspects.ts";

const { client, db } = await boot();
const newUser = () => newSender(client, db);
const now = Date.now();
const at = (ms: number) => new Date(now - 60_000 + ms).toISOString();

type Fields = Record<string, unknown>;
const explain = async (user: Sender, traceId: string, spanId?: string): Promise<Blame> =>
  expectStatus(
    await user.get(
      `/api/insights/blame/${encodeURIComponent(traceId)}${spanId === undefined ? "" : `?spanId=${spanId}`}`,
    ),
    200,
  ).json;
const suspectOf = ({ suspects }: Blame, option: string): Suspect => {
  const found = suspects.find((one) => one.option === option);
  if (!found) throw new Error(`${option} is no suspect`);
  return found;
};

/** A run that plans, chooses a tool and calls it. With an error, the call fails, and with it the run. */
function run({
  tool,
  error,
  context = null,
  ...fields
}: { tool: string; error?: string; context?: unknown } & Fields) {
  const call = span({
    name: tool,
    type: "TOOL_CALL",
    parentSpanId: "root",
    startedAt: at(30),
    endedAt: at(40),
    ...(error !== undefined && { status: "ERROR", statusMessage: error }),
  });
  const root = span({
    id: "root",
    name: "agent",
    type: "AGENT",
    startedAt: at(0),
    endedAt: at(50),
    ...(error !== undefined && { status: "ERROR" }),
  });
  const plan = decision({
    id: "plan",
    type: "PLANNING",
    chosen: "verify first",
    alternatives: ["ask"],
    parentSpanId: "root",
    timestamp: at(10),
  });
  const choice = decision({
    id: "tool",
    chosen: tool,
    alternatives: ["refund_api", "ask_human"].filter((option) => option !== tool),
    parentSpanId: "root",
    timestamp: at(20),
    contextSnapshot: context,
  });
  return {
    ...trace({
      name: "refund agent",
      status: error === undefined ? "COMPLETED" : "ERROR",
      startedAt: at(0),
      endedAt: at(50),
    }),
    spans: [root, call],
    decisionPoints: [plan, choice],
    ...fields,
  };
}
const refunded = { order: { state: "refunded", id: 1 } };
const paid = { order: { state: "paid", id: 1 } };
const CONFLICT = "HTTP 409: order 4711 was already refunded";

/** 40 calls of refund_api of which 20 fail, and 40 of ask_human of which 2 fail with another error. */
function history() {
  return [
    ...Array.from({ length: 20 }, () => run({ tool: "refund_api", error: CONFLICT, context: refunded })),
    ...Array.from({ length: 20 }, () => run({ tool: "refund_api", context: paid })),
    ...Array.from({ length: 2 }, () => run({ tool: "ask_human", error: "nobody is there" })),
    ...Array.from({ length: 38 }, () => run({ tool: "ask_human" })),
  ];
}

describe("the suspects of a run that failed", () => {
  it("are ranked by what they explain, with figures from the same situation", async () => {
    const user = await newUser();
    const failed = run({
      tool: "refund_api",
      error: "HTTP 409: order 815 was already refunded",
      context: refunded,
    });
    expectStatus(await user.send([...history(), failed]), 200);
    const blame = await explain(user, failed.id);
    expect(blame).toMatchObject({
      traceId: failed.id,
      agent: "refund agent",
      ending: { kind: "failed", turn: 1, isCircle: false },
      decisions: 2,
      comparedRuns: 81,
      badRuns: 23,
      record: { judged: 0, right: 0 },
      error: { spanId: failed.spans[1]?.id, name: "refund_api", runs: 21, at: at(30) },
    });
    expect(blame.errors).toHaveLength(1);
    expect(blame.suspects.map(({ kind, option, suspicion }) => [kind, option, suspicion])).toEqual([
      ["chose", "refund_api", "likely"],
      ["chose", "verify first", "none"],
    ]);
    const suspect = suspectOf(blame, "refund_api");
    expect(suspect).toMatchObject({
      decisionPointId: "tool",
      turn: 1,
      turns: [1],
      type: "TOOL_SELECTION",
      beforeMs: 10,
      place: "agent",
      rate: 21 / 41,
      comparable: 41,
      clue: { key: "order.state", value: '"refunded"', failed: 21, failedTotal: 21, fine: 0, fineTotal: 20 },
      dithering: null,
      verdict: null,
    });
    expect(suspect.otherRate).toBeCloseTo(2 / 40, 9);
    expect(suspect.ratio).toBeGreaterThan(5);
    expect(suspect.explains).toBeGreaterThan(15);
    // All runs begin with the same choice, so it was compared with nothing.
    expect(suspectOf(blame, "verify first")).toMatchObject({
      explains: null,
      ratio: null,
      rate: null,
      otherRate: null,
      comparable: null,
    });
  });

  it("say that there is no clue because a rule masked the context", async () => {
    const user = await newUser();
    const rule = { name: "order", type: "anything", method: "replace", source: "context.order" };
    expectStatus(await user.put("/api/masking", { version: 1, level: "off", rules: [rule] }), 200);
    const failed = run({ tool: "refund_api", error: CONFLICT, context: refunded });
    expectStatus(await user.send([...history(), failed]), 200);
    const suspect = suspectOf(await explain(user, failed.id), "refund_api");
    expect(suspect).toMatchObject({ clue: null, maskedContext: [{ key: "order", rule: "order" }] });
  });

  it("have an error whose runs are exactly those that the list of traces shows", async () => {
    const user = await newUser();
    const failed = run({ tool: "refund_api", error: CONFLICT });
    expectStatus(await user.send([...history(), failed]), 200);
    const blame = await explain(user, failed.id);
    const query = new URLSearchParams({
      agent: blame.agent,
      startedFrom: blame.from,
      startedTo: blame.to,
      fingerprint: blame.error?.fingerprint ?? "",
    });
    const { total } = expectStatus(await user.get(`/api/traces?${query}`), 200).json;
    expect([blame.error?.runs, total]).toEqual([21, 21]);
  });

  it("carry what a person said about them, and count how often the first suspect was wrong", async () => {
    const user = await newUser();
    const failed = run({ tool: "refund_api", error: CONFLICT });
    expectStatus(await user.send([...history(), failed]), 200);
    const verdict = { traceId: failed.id, decisionPointId: "tool", verdict: "wrong", suspectRank: 1 };
    expectStatus(await user.put("/api/insights/verdicts", { ...verdict, shouldHaveBeen: "ask_human" }), 200);
    const blame = await explain(user, failed.id);
    expect(suspectOf(blame, "refund_api").verdict).toMatchObject({
      verdict: "wrong",
      shouldHaveBeen: "ask_human",
    });
    expect(blame.record).toEqual({ judged: 1, right: 1 });
  });

  it("name a way that leads back and forth, and no reaction to an error", async () => {
    const user = await newUser();
    const choose = (id: string, ms: number, chosen: string) =>
      decision({
        id,
        type: "ROUTING",
        chosen,
        alternatives: ["billing", "support"].filter((one) => one !== chosen),
        timestamp: at(ms),
        contextSnapshot: { order: 1 },
      });
    const retry = decision({
      id: "retry",
      type: "RETRY",
      chosen: "again",
      alternatives: ["give up"],
      timestamp: at(26),
    });
    const failed = run({ tool: "refund_api", error: CONFLICT });
    failed.decisionPoints.push(choose("first", 22, "billing"), choose("second", 23, "support"));
    failed.decisionPoints.push(choose("third", 24, "billing"), retry);
    expectStatus(await user.send([failed]), 200);
    const { suspects } = await explain(user, failed.id);
    expect(suspects.find(({ option }) => option === "billing")).toMatchObject({
      decisionPointId: "third",
      turns: [4, 2],
      dithering: { kind: "back-and-forth" },
    });
    expect(suspects.map(({ option }) => option)).not.toContain("again");
  });
});

describe("an honest answer", () => {
  it("suspects nothing if there is nothing to compare with, and the failed call comes first", async () => {
    const user = await newUser();
    const failed = run({ tool: "refund_api", error: CONFLICT });
    expectStatus(await user.send([failed]), 200);
    const { suspects, partner, comparedRuns, badRuns } = await explain(user, failed.id);
    expect(suspects.map(({ option, suspicion, comparable }) => [option, suspicion, comparable])).toEqual([
      ["refund_api", "none", null],
      ["verify first", "none", null],
    ]);
    expect({ partner, comparedRuns, badRuns }).toEqual({ partner: null, comparedRuns: 1, badRuns: 1 });
  });

  it("has no suspects if nothing was decided, or only after the error", async () => {
    const user = await newUser();
    const undecided = run({ tool: "refund_api", error: CONFLICT, decisionPoints: [] });
    const late = run({
      tool: "refund_api",
      error: CONFLICT,
      decisionPoints: [decision({ type: "ESCALATION", timestamp: at(45), parentSpanId: "root" })],
    });
    expectStatus(await user.send([undecided, late]), 200);
    expect(await explain(user, undecided.id)).toMatchObject({
      ending: { kind: "failed", turn: null },
      decisions: 0,
      suspects: [],
      error: { name: "refund_api", runs: 0 },
    });
    expect(await explain(user, late.id)).toMatchObject({
      ending: { kind: "failed", turn: null },
      decisions: 0,
      suspects: [],
      error: { name: "refund_api" },
    });
  });

  it("explains the error of a trace that is still running, which is not counted elsewhere", async () => {
    const user = await newUser();
    const running = run({ tool: "refund_api", error: CONFLICT, status: "RUNNING", endedAt: null });
    expectStatus(await user.send([...history(), running]), 200);
    const blame = await explain(user, running.id, running.spans[1]?.id);
    expect(blame).toMatchObject({
      ending: { kind: "error", turn: 1 },
      comparedRuns: 81,
      error: { runs: 20 },
    });
    expect(blame.suspects[0]).toMatchObject({ option: "refund_api", suspicion: "likely" });
    const [other] = history();
    expectStatus(await user.send([{ ...other, id: "finished" }]), 200);
    expect(await explain(user, "finished")).toMatchObject({ comparedRuns: 81 });
  });

  it("explains an ERROR event, and a trace that only says that it failed", async () => {
    const user = await newUser();
    const reported = run({
      tool: "ask_human",
      events: [event({ type: "ERROR", name: "quota", timestamp: at(35), spanId: null })],
    });
    const silent = run({ tool: "ask_human", status: "ERROR" });
    expectStatus(await user.send([reported, silent]), 200);
    expect(await explain(user, reported.id)).toMatchObject({
      ending: { kind: "error", turn: 1 },
      decisions: 2,
      error: { spanId: null, name: "quota" },
    });
    expect(await explain(user, silent.id)).toMatchObject({
      ending: { kind: "failed", turn: 1 },
      decisions: 2,
      error: { spanId: null, name: "refund agent", message: null },
    });
  });

  it("explains an earlier error that the run got over if it is asked for, by what came before that one", async () => {
    const user = await newUser();
    const failed = run({ tool: "refund_api", error: CONFLICT });
    const early = span({
      id: "early",
      name: "verify",
      type: "TOOL_CALL",
      parentSpanId: "root",
      startedAt: at(12),
      endedAt: at(14),
      status: "ERROR",
      statusMessage: "timeout",
    });
    const between = decision({
      id: "between",
      chosen: "wait",
      alternatives: [],
      parentSpanId: "root",
      timestamp: at(16),
    });
    failed.spans.push(early);
    failed.decisionPoints.push(between);
    expectStatus(await user.send([...history(), failed]), 200);
    expect(await explain(user, failed.id)).toMatchObject({
      ending: { kind: "failed", turn: 2 },
      error: { name: "refund_api" },
      decisions: 3,
    });
    const handled = await explain(user, failed.id, "early");
    expect(handled).toMatchObject({
      ending: { kind: "error", turn: 0 },
      error: { spanId: "early", name: "verify" },
      decisions: 1,
    });
    expect(handled.suspects.map(({ option }) => option)).toEqual(["verify first"]);
  });

  it("explains a run that failed in the end, after it got over an error, by its own error", async () => {
    const user = await newUser();
    const failed = run({ tool: "refund_api", status: "ERROR" });
    const early = {
      name: "verify",
      parentSpanId: "root",
      startedAt: at(12),
      endedAt: at(14),
      status: "ERROR",
    };
    failed.spans = [
      span({
        id: "root",
        name: "agent",
        startedAt: at(0),
        endedAt: at(50),
        status: "ERROR",
        statusMessage: "gave up",
      }),
      span({ type: "TOOL_CALL", ...early }),
    ];
    failed.decisionPoints.push(decision({ chosen: "wait", parentSpanId: "root", timestamp: at(16) }));
    expectStatus(await user.send([failed]), 200);
    expect(await explain(user, failed.id)).toMatchObject({
      ending: { kind: "failed", turn: 2 },
      error: { spanId: "root", name: "agent", message: "gave up" },
      errors: [{ name: "verify" }],
      decisions: 3,
    });
  });

  it("is 404 without an error, for an unknown span, and for another user's trace", async () => {
    const [user, stranger] = [await newUser(), await newUser()];
    const [fine, failed] = [run({ tool: "ask_human" }), run({ tool: "refund_api", error: CONFLICT })];
    expectStatus(await user.send([fine, failed]), 200);
    const error = async (sender: Sender, path: string) =>
      expectStatus(await sender.get(`/api/insights/blame/${path}`), 404).json.error;
    expect(await error(user, fine.id)).toBe("There is no error here");
    expect(await error(user, `${failed.id}?spanId=unknown`)).toBe("There is no error here");
    expect(await error(user, randomUUID())).toBe("Trace not found");
    expect(await error(stranger, failed.id)).toBe("Trace not found");
  });

  it("counts only the user's own runs", async () => {
    const [user, stranger] = [await newUser(), await newUser()];
    const failed = run({ tool: "refund_api", error: CONFLICT });
    const mine = run({ tool: "ask_human" });
    expectStatus(await stranger.send(history()), 200);
    expectStatus(await user.send([failed, mine]), 200);
    expect(await explain(user, failed.id)).toMatchObject({ comparedRuns: 2, badRuns: 1, error: { runs: 1 } });
    expect((await explain(user, failed.id)).partner).toEqual({ traceId: mine.id, turn: 1 });
  });
});

it("returns a hundred suspects of a trace with 5,000 options, the latest first, and says how many decisions there are", async () => {
  const user = await newUser();
  const failed = run({
    tool: "refund_api",
    error: CONFLICT,
    decisionPoints: Array.from({ length: 5_000 }, (_, index) =>
      decision({
        id: `d${index}`,
        chosen: letters(index),
        alternatives: [],
        timestamp: at(index / 200),
        parentSpanId: "root",
      }),
    ),
  });
  expectStatus(await user.send([failed]), 200);
  const blame = await explain(user, failed.id);
  expect(blame.decisions).toBe(5_000);
  expect(blame.suspects).toHaveLength(MAX_SUSPECTS);
});

/** A name without digits, which would be masked. */
const letters = (index: number) =>
  [...index.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join("");

it("finds the error of 10,000 nested failed spans soon, and the last one of a ring", async () => {
  const user = await newUser();
  const COUNT = 10_000;
  const failed = (parentOf: (index: number) => number) =>
    Array.from({ length: COUNT }, (_, index) =>
      span({
        id: `s${index}`,
        name: `span ${index}`,
        status: "ERROR",
        parentSpanId: index === parentOf(index) ? null : `s${parentOf(index)}`,
      }),
    );
  for (const spans of [
    failed((index) => Math.max(0, index - 1)),
    failed((index) => (index + COUNT - 1) % COUNT),
  ]) {
    const nested = run({ tool: "ask_human", error: CONFLICT, spans });
    expectStatus(await user.send([nested]), 200);
    const workedMs = startCpuStopwatch();
    const { error, errors } = await explain(user, nested.id);
    // An ancestor at a time, it would take a minute.
    expect(workedMs()).toBeLessThan(5_000);
    expect(error).toMatchObject({ spanId: `s${COUNT - 1}`, name: `span ${COUNT - 1}` });
    expect(errors).toEqual([{ spanId: `s${COUNT - 1}`, name: `span ${COUNT - 1}`, message: null }]);
  }
});

it("explains an event in a span that did not fail or is not there", async () => {
  const user = await newUser();
  const quiet = run({
    tool: "ask_human",
    status: "ERROR",
    events: [
      event({ type: "ERROR", name: "earlier", spanId: "root", timestamp: at(20) }),
      event({ type: "ERROR", name: "quota", spanId: "root", timestamp: at(30) }),
      event({ type: "ERROR", name: "lost", spanId: "elsewhere", timestamp: at(25) }),
    ],
  });
  expectStatus(await user.send([quiet]), 200);
  expect((await explain(user, quiet.id, "root")).error).toMatchObject({ spanId: "root", name: "quota" });
  expect((await explain(user, quiet.id, "elsewhere")).error).toMatchObject({
    spanId: "elsewhere",
    name: "lost",
  });
  expect((await explain(user, quiet.id)).errors.map(({ spanId }) => spanId)).toEqual([
    "root",
    "elsewhere",
    "root",
  ]);
});

describe("of a run that is bad for another reason than an error", () => {
  const score = (user: Sender, scores: object[]) =>
    client.request("POST", "/api/scores", {
      body: { scores },
      headers: { authorization: `Bearer ${user.key}` },
    });
  const POLL = { timeout: 20_000 };
  const isGuilty = (index: number) => index % 2 === 0;
  /** Ids of traces belong to one workspace. */
  const idOf = (user: Sender, index: number) => `${user.workspaceId}-${index}`;
  /** Half of the runs choose refund_api, and a check says that most of these are wrong. */
  async function sendScored(): Promise<Sender> {
    const user = await newUser();
    const runs = Array.from({ length: 80 }, (_, index) =>
      run({ id: idOf(user, index), tool: isGuilty(index) ? "refund_api" : "ask_human" }),
    );
    expectStatus(await user.send(runs), 200);
    const scores = runs.map(({ id }, index) => ({
      traceId: id,
      name: "correct",
      value: !(isGuilty(index) ? index % 8 !== 0 : index < 8),
      source: "code",
    }));
    expectStatus(await score(user, scores), 200);
    return user;
  }

  it("explains its main reason by what runs with such a score chose, and compares it with a good run", async () => {
    const user = await sendScored();
    const blame = await explain(user, idOf(user, 2));
    expect(blame).toMatchObject({
      ending: { kind: "scored", isCircle: false },
      error: null,
      errors: [],
      reason: { text: "A check said false for correct", place: { kind: "run", id: null }, runs: 34 },
      badRuns: 34,
      comparedRuns: 80,
    });
    expect(blame.reasons).toEqual([blame.reason]);
    expect(blame.suspects[0]).toMatchObject({ option: "refund_api", kind: "chose" });
    expect(blame.partner?.traceId).toMatch(/[13579]$/);
    const listed = expectStatus(
      await user.get(`/api/traces?fingerprint=${blame.reason?.fingerprint}&limit=1`),
      200,
    ).json;
    expect(listed.total).toBe(34);
  });

  it("suspects only decisions that the reason follows, and explains each reason that is asked for", async () => {
    const user = await sendScored();
    const id = idOf(user, 2);
    const byUser = { traceId: id, decisionId: "plan", name: "plan", value: false, source: "user" };
    expectStatus(await score(user, [byUser]), 200);
    const { reasons } = await explain(user, id);
    const texts = reasons.map(({ text }) => text);
    expect(texts).toEqual(["A user said false for plan", "A check said false for correct"]);
    const of = async (reason: number) => user.get(`/api/insights/blame/${id}?reason=${reason}`);
    const first: Blame = expectStatus(await of(0), 200).json;
    expect(first.suspects.filter(({ kind }) => kind === "chose").map(({ type }) => type)).toEqual([
      "PLANNING",
    ]);
    expect(first.decisions).toBe(1);
    const second: Blame = expectStatus(await of(1), 200).json;
    expect(second.suspects.map(({ type }) => type)).toContain("TOOL_SELECTION");
    expectStatus(await of(2), 404);
    expectStatus(await user.get(`/api/insights/blame/${id}?reason=-1`), 400);
  });

  it("never compares it with a run whose outcome is unknown, and first with one that somebody judged", async () => {
    const user = await newUser();
    const runs = Array.from({ length: 40 }, (_, index) =>
      run({
        id: idOf(user, index),
        tool: index === 0 ? "refund_api" : "ask_human",
        ...(index < 4 && { error: index === 0 ? "wrong order" : "nobody is there" }),
      }),
    );
    expectStatus(await user.send(runs), 200);
    const bad = [
      { kind: "status", is: "ERROR" },
      { kind: "score", name: "correct", op: "is", value: false, missing: "unknown" },
    ];
    expectStatus(await user.put("/api/outcomes", { agent: null, version: 0, bad }), 200);
    const partnerOf = async () => (await explain(user, idOf(user, 0))).partner?.traceId;
    await expect.poll(partnerOf, POLL).toBeUndefined();
    expectStatus(
      await score(user, [{ traceId: idOf(user, 7), name: "correct", value: true, source: "code" }]),
      200,
    );
    await expect.poll(partnerOf, POLL).toBe(idOf(user, 7));
  });
});
