import { signDecision } from "@whytrace/contract";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../statistics/hypothesis-tests/seeded-random.ts";
import { commonLength } from "./step-path.ts";

const { client, db } = await boot();

const START_MS = Date.parse("2026-01-02T03:04:05.000Z");
const at = (ms: number) => new Date(START_MS + ms).toISOString();
const OPTIONS = ["a", "b", "c"];

/** A run that chose these letters, one after the other, each of a, b and c. */
const run = (choices: string, overrides: Record<string, unknown> = {}) =>
  trace({
    startedAt: at(0),
    decisionPoints: [...choices].map((chosen, index) =>
      decision({
        chosen,
        alternatives: OPTIONS.filter((option) => option !== chosen),
        timestamp: at(index + 1),
      }),
    ),
    ...overrides,
  });

const stepOf = (chosen: string) =>
  signDecision({ type: "TOOL_SELECTION", chosen, alternatives: OPTIONS }).step.toString(16).padStart(8, "0");

interface Found {
  kind: string;
  traceId: string;
  sameDecisions: number;
}

let user: Sender;
const send = async (...traces: { id: string }[]) => expectStatus(await user.send(traces), 200);
const partnersOf = async ({ id }: { id: string }, query = "") =>
  expectStatus(await user.get(`/api/insights/partners/${id}${query}`), 200).json;
const foundFor = async (one: { id: string }, query = ""): Promise<[string, string, number][]> =>
  (await partnersOf(one, query)).partners.map(({ kind, traceId, sameDecisions }: Found) => [
    kind,
    traceId,
    sameDecisions,
  ]);

describe("GET /api/insights/partners/:traceId", () => {
  beforeAll(async () => {
    user = await newSender(client, db);
  });

  it("finds the completed run that agrees the longest and then chose otherwise, then runs that decided the same", async () => {
    const failed = run("abca", { name: "agent 1", status: "ERROR" });
    const near = run("abcb", { name: "agent 1" });
    const nearAndShort = run("abc", { name: "agent 1" });
    const far = run("acca", { name: "agent 1" });
    const twin = run("abca", { name: "agent 1" });
    const longer = run("abcab", { name: "agent 1" });
    const alsoFailed = run("abcc", { name: "agent 1", status: "ERROR" });
    const running = run("abcc", { name: "agent 1", status: "RUNNING" });
    const otherAgent = run("abcc", { name: "somebody else" });
    await send(failed, near, nearAndShort, far, twin, longer, alsoFailed, running, otherAgent);
    expect(await foundFor(failed)).toEqual([
      ["otherwise-well", nearAndShort.id, 3],
      ["otherwise-well", near.id, 3],
      ["otherwise-well", far.id, 1],
      ["same-well", twin.id, 4],
      ["same-well", longer.id, 4],
    ]);
    expect(await partnersOf(failed)).toMatchObject({ agent: "agent 1", reason: null });
  });

  it("puts the run first that chose otherwise at the first suspect, although others agree for longer", async () => {
    const owner = await newSender(client, db);
    const recently = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    // Whoever chooses b second fails two decisions later, whatever comes in between.
    const letters = ["a", "b", "c"];
    const traces = Array.from({ length: 120 }, (_, index) => {
      const second = letters[index % 3] ?? "a";
      const isBad = second === "b" && index % 2 === 0;
      const rest = letters[Math.floor(index / 3) % 3] ?? "a";
      return run(`a${second}${rest}c`, {
        name: "careless agent",
        startedAt: recently(300 - index),
        status: isBad ? "ERROR" : "COMPLETED",
      });
    });
    expectStatus(await owner.send(traces), 200);
    const bad = traces.filter(({ status }) => status === "ERROR");
    for (const { id } of bad.slice(-5)) {
      const { json } = expectStatus(await owner.get(`/api/insights/partners/${id}`), 200);
      const blame = expectStatus(await owner.get(`/api/insights/blame/${id}`), 200).json;
      const [first, ...others]: (Found & { status: string })[] = json.partners;
      expect(blame.suspects[0]).toMatchObject({ option: "b", turn: 1 });
      expect(first).toMatchObject({
        kind: "otherwise-well",
        traceId: blame.partner.traceId,
        status: "COMPLETED",
        sameDecisions: 1,
      });
      expect(others.some(({ sameDecisions }) => sameDecisions > 1)).toBe(true);
      expect(others.map(({ traceId }) => traceId)).not.toContain(first?.traceId);
    }
  });

  it("counts runs whose names differ in a number as one agent", async () => {
    const failed = run("ab", { name: "order 1234", status: "ERROR" });
    const fine = run("ac", { name: "order 5678", tags: ["v1.2"] });
    await send(failed, fine);
    expect((await partnersOf(failed)).partners).toEqual([
      {
        kind: "otherwise-well",
        traceId: fine.id,
        name: "order 5678",
        status: "COMPLETED",
        release: "v1.2",
        startedAt: at(0),
        sameDecisions: 1,
      },
    ]);
  });

  it("finds a run that chose a certain option instead, with the longest agreement before it", async () => {
    const name = "chooser";
    const failed = run("aab", { name, status: "ERROR" });
    const late = run("aac", { name });
    const early = run("c", { name });
    const other = run("aaa", { name });
    await send(failed, late, early, other);
    expect(await foundFor(failed, `?step=${stepOf("c")}`)).toEqual([
      ["otherwise-well", late.id, 2],
      ["otherwise-well", early.id, 0],
    ]);
    expect(await partnersOf(failed, "?step=00000001")).toMatchObject({
      partners: [],
      reason: "no-such-choice",
    });
  });

  it("finds runs of earlier releases that went well, for a run that has a release", async () => {
    const tagged = (choices: string, tags: string[], startMs: number, status = "COMPLETED") =>
      run(choices, { name: "released", tags, startedAt: at(startMs), status });
    const failed = tagged("aba", ["prod", "v2.3.0"], 500, "ERROR");
    const near = tagged("abb", ["v2.2.0"], 100);
    const twin = tagged("aba", ["v2.2.0"], 200);
    const others = [
      tagged("abb", ["v2.3.0"], 300),
      tagged("abb", ["v2.4.0"], 900),
      tagged("abb", ["prod"], 100),
      tagged("abb", ["v2.2.0"], 100, "ERROR"),
    ];
    await send(failed, near, twin, ...others);
    const ofKind = async (one: { id: string }) =>
      (await foundFor(one)).filter(([kind]) => kind === "release-well");
    expect(await ofKind(failed)).toEqual([
      ["release-well", twin.id, 3],
      ["release-well", near.id, 2],
    ]);
    expect(await ofKind(others[2] ?? failed)).toEqual([]);
  });

  it("finds failed runs with the same error, for a run that failed", async () => {
    const failing = (choices: string, statusMessage: string, status = "ERROR", name = "failer") =>
      run(choices, { name, status, spans: [span({ status: "ERROR", statusMessage, startedAt: at(9) })] });
    const failed = failing("ab", "card 1234 expired");
    const near = failing("ac", "card 5678 expired");
    const far = failing("b", "card 9012 expired");
    const others = [
      failing("ab", "out of stock"),
      failing("ab", "card 1 expired", "RUNNING"),
      failing("ab", "card 2 expired", "ERROR", "somebody else"),
    ];
    await send(failed, near, far, ...others);
    expect(await foundFor(failed)).toEqual([
      ["same-error", near.id, 1],
      ["same-error", far.id, 0],
    ]);
    expect(await partnersOf(failed)).toMatchObject({
      partners: [{ status: "ERROR" }, {}],
      reason: "no-other-run",
    });
  });

  it("lists other runs of the session after those that are similar", async () => {
    const name = "talker";
    const failed = run("ab", { name, status: "ERROR", sessionId: "chat" });
    const next = run("b", { name: "another agent", status: "ERROR", sessionId: "chat" });
    const similar = run("ac", { name, sessionId: "chat" });
    await send(failed, next, similar);
    expect(await foundFor(failed)).toEqual([
      ["otherwise-well", similar.id, 1],
      ["session", next.id, 0],
    ]);
  });

  it("tells runs apart that agree in more decisions than their paths hold", async () => {
    const name = "long runner";
    const failed = run(`${"ab".repeat(40)}a`, { name, status: "ERROR" });
    const otherwise = run(`${"ab".repeat(40)}b`, { name });
    const twin = run(`${"ab".repeat(40)}a`, { name });
    await send(failed, otherwise, twin);
    expect(await foundFor(failed)).toEqual([
      ["otherwise-well", otherwise.id, 80],
      ["same-well", twin.id, 81],
    ]);
  });

  it("says why it found no run", async () => {
    const alone = run("ab", { name: "alone" });
    const undecided = trace({ name: "undecided" });
    const old = run("ab", { name: "old" });
    await send(alone, undecided, old);
    await sql`
      update traces set agent_hash = null, decision_path = null
      where workspace_id = ${user.workspaceId} and id = ${old.id}`.execute(db);
    expect(await partnersOf(alone)).toEqual({ agent: "alone", partners: [], reason: "no-other-run" });
    expect(await partnersOf(undecided)).toMatchObject({ partners: [], reason: "no-decisions" });
    expect(await partnersOf(old)).toMatchObject({ partners: [], reason: "not-read" });
  });

  it("finds no run of another user", async () => {
    const other = await newSender(client, db);
    const failed = run("ab", { name: "shared name", status: "ERROR" });
    await send(failed);
    expectStatus(await other.send([run("ac", { name: "shared name" })]), 200);
    expect(await partnersOf(failed)).toMatchObject({ partners: [], reason: "no-other-run" });
    expect((await other.get(`/api/insights/partners/${failed.id}`)).status).toBe(404);
  });

  it.each(["?step=x", "?step=0"])("%s is 400", async (query) => {
    const response = await user.get(`/api/insights/partners/any${query}`);
    expect([response.status, response.json.error]).toEqual([
      400,
      "Invalid step. Must be 8 hexadecimal digits.",
    ]);
  });
});

describe("the runs that are found", () => {
  it("are the most similar ones: the same as those found by comparing with all runs", async () => {
    user = await newSender(client, db);
    const random = seededRandom(11);
    const runs = Array.from({ length: 400 }, () => {
      const length = 1 + Math.floor(random() * 9);
      // Mostly "a", so that many runs agree for long.
      const choices = Array.from({ length }, () => (random() < 0.7 ? "a" : random() < 0.5 ? "b" : "c")).join(
        "",
      );
      return {
        choices,
        sent: run(choices, { name: "agent", status: random() < 0.3 ? "ERROR" : "COMPLETED" }),
      };
    });
    for (let from = 0; from < runs.length; from += 100)
      await send(...runs.slice(from, from + 100).map(({ sent }) => sent));
    for (const { choices, sent } of runs.filter((_, index) => index % 7 === 0)) {
      const completed = runs.filter((other) => other.sent.status === "COMPLETED" && other.sent !== sent);
      const [same, others] = [true, false].map((isSame) =>
        completed.filter((other) => other.choices.startsWith(choices) === isSame),
      );
      const agreement = (other: string) => commonLength(codes(choices), codes(other));
      const best = Math.max(...(others ?? []).map((other) => agreement(other.choices)));
      const found = await foundFor(sent);
      expect([choices, found.find(([kind]) => kind === "otherwise-well")?.[2]]).toEqual([choices, best]);
      expect(found.filter(([kind]) => kind === "same-well")).toHaveLength(Math.min(20, same?.length ?? 0));
    }
  });
});

const codes = (choices: string) => [...choices].map((letter) => letter.charCodeAt(0));
