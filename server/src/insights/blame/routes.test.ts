import { randomUUID } from "node:crypto";
import { type Blame, MAX_SUSPECTS, type Suspect } from "@whytrace/contract";
import { boot } from "@whytrace/testing/boot.ts";
import { expectStatus } from "@whytrace/testing/client.ts";
import { decision, event, newSender, type Sender, span, trace } from "@whytrace/testing/sample-traces.ts";
import { describe, expect, it } from "vitest";

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

describe("the suspects of an error", () => {
  it("are ranked by how much likelier it is after the choice, with both rates and how often this very error came", async () => {
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
      decisions: 2,
      record: { judged: 0, right: 0 },
      error: { spanId: failed.spans[1]?.id, name: "refund_api", runs: 21, at: at(30) },
    });
    expect(blame.errors).toHaveLength(1);
    expect(blame.suspects.map(({ option, suspicion }) => [option, suspicion])).toEqual([
      ["refund_api", "likely"],
      ["verify first", "none"],
    ]);
    const suspect = suspectOf(blame, "refund_api");
    expect(suspect).toMatchObject({
      decisionPointId: "tool",
      type: "TOOL_SELECTION",
      beforeMs: 10,
      isSameSpan: true,
      place: "agent",
      after: { option: "verify first" },
      chosen: { decisions: 41, failed: 21, runs: 41, failedRuns: 21 },
      alternative: { option: "ask_human", rate: { decisions: 40, failed: 2 } },
      sameError: { chosen: 21, chosenRuns: 41, alternative: 0, alternativeRuns: 40 },
      clue: { key: "order.state", value: '"refunded"', failed: 21, failedTotal: 21, fine: 0, fineTotal: 20 },
      dithering: null,
      verdict: null,
    });
    expect(suspect.chosen.low).toBeGreaterThan(suspect.alternative?.rate.high ?? 1);
  });

  it("link to exactly the traces that were counted", async () => {
    const user = await newUser();
    const failed = run({ tool: "refund_api", error: CONFLICT });
    expectStatus(await user.send([...history(), failed]), 200);
    const blame = await explain(user, failed.id);
    const { step, after, chosen } = suspectOf(blame, "refund_api");
    const list = async (filter: Record<string, string>) => {
      const query = new URLSearchParams({
        agent: blame.agent,
        startedFrom: blame.from,
        startedTo: blame.to,
        ...filter,
      });
      return expectStatus(await user.get(`/api/traces?${query}`), 200).json.total;
    };
    expect(await list({ step, after: after?.step ?? "", outcome: "failed" })).toBe(chosen.failedRuns);
    expect(await list({ fingerprint: blame.error.fingerprint })).toBe(blame.error.runs);
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

  it("name a retry that repeats itself, and how such retries ended", async () => {
    const user = await newUser();
    const retry = (id: string, ms: number) =>
      decision({
        id,
        type: "RETRY",
        chosen: "same arguments",
        alternatives: ["give up"],
        timestamp: at(ms),
        contextSnapshot: { order: 1 },
      });
    const failed = run({ tool: "refund_api", error: CONFLICT });
    failed.decisionPoints.push(retry("first", 22), retry("second", 24));
    expectStatus(await user.send([failed]), 200);
    const { suspects } = await explain(user, failed.id);
    const second = suspects.find(({ decisionPointId }) => decisionPointId === "second");
    expect(second?.dithering).toEqual({ kind: "repeated-retry", retries: { total: 2, recovered: 0 } });
  });
});

describe("an honest answer", () => {
  it("suspects nothing if there is nothing to compare with", async () => {
    const user = await newUser();
    const failed = run({ tool: "refund_api", error: CONFLICT });
    expectStatus(await user.send([failed]), 200);
    const { suspects } = await explain(user, failed.id);
    expect(suspects.map(({ suspicion, alternative }) => [suspicion, alternative])).toEqual([
      ["none", null],
      ["none", null],
    ]);
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
      decisions: 0,
      suspects: [],
      error: { runs: 0 },
    });
    expect(await explain(user, late.id)).toMatchObject({ decisions: 0, suspects: [] });
  });

  it("explains the error of a trace that is still running, which is not counted", async () => {
    const user = await newUser();
    const running = run({ tool: "refund_api", error: CONFLICT, status: "RUNNING", endedAt: null });
    expectStatus(await user.send([...history(), running]), 200);
    const blame = await explain(user, running.id, running.spans[1]?.id);
    expect(blame.error.runs).toBe(20);
    expect(blame.suspects[0]).toMatchObject({ option: "refund_api", suspicion: "likely" });
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
      decisions: 2,
      error: { spanId: null, name: "quota" },
    });
    expect(await explain(user, silent.id)).toMatchObject({
      decisions: 2,
      error: { spanId: null, name: "refund agent", message: null },
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
    expectStatus(await stranger.send(history()), 200);
    expectStatus(await user.send([failed]), 200);
    const blame = await explain(user, failed.id);
    expect(blame.error.runs).toBe(1);
    expect(suspectOf(blame, "refund_api").chosen.decisions).toBe(1);
  });
});

it("returns a hundred suspects of a trace with 5,000 decisions, and says how many there are", async () => {
  const user = await newUser();
  const failed = run({
    tool: "refund_api",
    error: CONFLICT,
    decisionPoints: Array.from({ length: 5_000 }, (_, index) =>
      decision({ id: `d${index}`, timestamp: at(index / 200), parentSpanId: "root" }),
    ),
  });
  expectStatus(await user.send([failed]), 200);
  const blame = await explain(user, failed.id);
  expect(blame.decisions).toBe(5_000);
  expect(blame.suspects).toHaveLength(MAX_SUSPECTS);
});

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
    const startedAt = performance.now();
    const { error, errors } = await explain(user, nested.id);
    // An ancestor at a time, it would take a minute.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
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
