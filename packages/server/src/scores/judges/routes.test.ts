import { signatureToHex, signDecision } from "@whytrace/contract";
import type { JudgeAgreement, JudgeQueue } from "@whytrace/contract/schemas/insights/judges";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { Client, expectStatus } from "@whytrace/testing/server/client.ts";
import { describe, expect, it } from "vitest";

const { client, db } = await boot({ FREE_SESSIONS_PER_DAY: "unlimited" });

type Fields = Record<string, unknown>;
const newUser = () => newSender(client, db);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const at = (second: number) => new Date(Date.parse("2026-01-02T03:00:00Z") + second * 1_000).toISOString();
const run = (second: number, fields: Fields = {}) =>
  trace({ name: "support agent", startedAt: at(second), endedAt: at(second + 1), ...fields });
async function send(user: Sender, ...traces: ReturnType<typeof trace>[]) {
  expectStatus(await user.send(traces), 200);
  return traces.map(({ id }) => String(id));
}
const store = async (user: Sender, scores: Fields[]) =>
  expectStatus(
    await new Client(client.url).request("POST", "/api/scores", {
      body: { scores },
      headers: bearer(user.key),
    }),
    200,
  );
const judge = (user: Sender, ids: string[], fields: Fields = {}) =>
  store(
    user,
    ids.map((traceId) => ({
      traceId,
      name: "correct",
      value: true,
      source: "judge",
      author: "j@1",
      ...fields,
    })),
  );
const review = async (user: Sender, scores: Fields[]) =>
  expectStatus(await user.post("/api/scores", { scores }), 200);
const queue = async (user: Sender, query = ""): Promise<JudgeQueue> =>
  expectStatus(await user.get(`/api/scores/queue?name=correct&author=j@1&${query}`), 200).json;
const agreement = async (user: Sender, query = ""): Promise<JudgeAgreement> =>
  expectStatus(await user.get(`/api/scores/agreement?name=correct&${query}`), 200).json;

describe("the queue of a judge", () => {
  it("has ended runs that this author has not scored under this name, newest first", async () => {
    const user = await newUser();
    const ids = await send(user, ...Array.from({ length: 8 }, (_, second) => run(second)));
    await send(user, run(9, { status: "RUNNING", endedAt: undefined }), run(10, { name: "another agent" }));
    const newest = ids.toReversed();
    expect(await queue(user, "agent=support%20agent&limit=3")).toEqual({
      traces: newest.slice(0, 3),
      left: 8,
    });
    await judge(user, newest.slice(0, 3));
    expect(await queue(user, "agent=support%20agent&limit=3")).toEqual({
      traces: newest.slice(3, 6),
      left: 5,
    });
    expect((await queue(user)).left).toBe(6);
    const others = ["name=correct&author=j@2", "name=correct", "name=tone&author=j@1"];
    for (const other of others)
      expect((await user.get(`/api/scores/queue?${other}&agent=support%20agent`)).json.left, other).toBe(8);
  });

  it("has the same random order each time, whatever was scored meanwhile", async () => {
    const user = await newUser();
    const ids = await send(user, ...Array.from({ length: 20 }, (_, second) => run(second)));
    const { traces } = await queue(user, "sample=random");
    expect([...traces].sort()).toEqual([...ids].sort());
    expect(traces).not.toEqual(ids.toReversed());
    expect((await queue(user, "sample=random&limit=5")).traces).toEqual(traces.slice(0, 5));
    await judge(user, [traces[1] ?? ""]);
    expect((await queue(user, "sample=random")).traces).toEqual(traces.filter((_, index) => index !== 1));
  });

  it("to review a judge has half of its runs from what it calls bad, the same each time, without those reviewed", async () => {
    const user = await newUser();
    const ids = await send(user, ...Array.from({ length: 40 }, (_, second) => run(second)));
    const bad = ids.slice(0, 8);
    await judge(user, bad, { value: false });
    await judge(user, ids.slice(8, 38));
    await judge(user, ids.slice(8, 30), { author: "j@2", value: 0.2 });
    const reviewed = async (query: string): Promise<JudgeQueue> =>
      expectStatus(
        await user.get(`/api/scores/queue?name=review&author=${user.userId}&judge=correct&${query}`),
        200,
      ).json;
    const badAmong = (traces: string[]) => traces.filter((id) => bad.includes(id)).length;
    const { traces, left } = await reviewed("judgeAuthor=j@1&limit=10");
    expect([traces.length, badAmong(traces), left]).toEqual([10, 5, 38]);
    expect((await reviewed("judgeAuthor=j@1&limit=10")).traces).toEqual(traces);
    // The bad ones are not in a row: their place would tell what the judge said.
    expect(badAmong(traces.slice(0, 5))).toBeLessThan(5);
    expect(badAmong((await reviewed("judgeAuthor=j@1&limit=30")).traces)).toBe(8);
    await review(
      user,
      traces.map((traceId) => ({ traceId, name: "review", value: true })),
    );
    const next = await reviewed("judgeAuthor=j@1&limit=10");
    expect([next.left, badAmong(next.traces), next.traces.filter((id) => traces.includes(id))]).toEqual([
      28,
      3,
      [],
    ]);
    // Numbers that no condition cuts are neither bad nor good: all of them are the rest.
    expect((await reviewed("judgeAuthor=j@2&limit=4")).traces).toHaveLength(4);
    expect((await reviewed("judgeAuthor=unknown")).left).toBe(0);
  });

  it("is only of runs since a time, or with a decision of a signature", async () => {
    const user = await newUser();
    const point = decision({ type: "TOOL_SELECTION", chosen: "search", alternatives: ["answer"] });
    const decided = { decisionPoints: [point] };
    const { signature } = signDecision({
      type: "TOOL_SELECTION",
      chosen: "search",
      alternatives: ["answer"],
    });
    const [, second, third] = await send(user, run(0, decided), run(1), run(2, decided));
    expect((await queue(user, `since=${at(1)}`)).traces).toEqual([third, second]);
    const near = `near=${signatureToHex(signature)}`;
    expect((await queue(user, `${near}&since=${at(1)}`)).traces).toEqual([third]);
    expect((await queue(user, near)).left).toBe(2);
    expect(await queue(user, "near=00000000000001")).toEqual({ traces: [], left: 0 });
  });

  it("shows nobody the runs of another workspace", async () => {
    const [owner, stranger] = [await newUser(), await newUser()];
    const ids = await send(owner, run(0));
    await judge(stranger, ids);
    expect((await queue(stranger)).left).toBe(0);
    expect((await queue(owner)).traces).toEqual(ids);
  });

  it.each([
    ["", "name is required"],
    ["name=a&sample=best", "Invalid sample. Must be one of: newest, random"],
    ["name=a&near=xyz", "Invalid near. Must have 14 hexadecimal digits."],
    ["name=a&since=soon", "Invalid since parameter. Must be a valid ISO date string."],
    ["name=a&limit=0", "Invalid limit parameter. Must be between 1 and 5000."],
    ["name=a&limit=5001", "Invalid limit parameter. Must be between 1 and 5000."],
  ])("refuses %j in words", async (query, error) => {
    const { status, json } = await (await newUser()).get(`/api/scores/queue?${query}`);
    expect([status, json]).toEqual([400, { error }]);
  });

  it("is read with a key that reads or reviews, not without one", async () => {
    const user = await newUser();
    const get = (key?: string) =>
      new Client(client.url).request("GET", "/api/scores/queue?name=a", key ? { headers: bearer(key) } : {});
    for (const scope of ["read", "review"])
      expect((await get((await user.post("/api/keys", { name: scope, scope })).json.key)).status).toBe(200);
    expect((await get()).status).toBe(401);
  });
});

describe("agreement", () => {
  /** Runs that judge and person judged, `[count, judge, person]`; null: the person said nothing. */
  async function judged(user: Sender, groups: [number, unknown, unknown][], fields: Fields = {}) {
    const pairs = groups.flatMap(([count, said, person]) =>
      Array.from({ length: count }, () => ({ trace: run(0), said, person })),
    );
    await send(user, ...pairs.map((pair) => pair.trace));
    await store(
      user,
      pairs.map(({ trace: { id }, said }) => ({
        traceId: id,
        name: "correct",
        value: said,
        source: "judge",
        author: "j@1",
        ...fields,
      })),
    );
    return pairs
      .filter(({ person }) => person !== null)
      .map(({ trace: { id }, person }) => ({ traceId: id, name: "review", value: person }));
  }

  it("is weighted by what the judge said, and unknown below 20 reviewed runs", async () => {
    const user = await newUser();
    const reviews = await judged(user, [
      [8, false, false],
      [4, false, true],
      [2, true, false],
      [26, true, true],
      [60, true, null],
    ]);
    await review(user, reviews.slice(0, 19));
    expect(await agreement(user, "author=j@1")).toMatchObject({
      judged: 100,
      reviewed: 19,
      agreement: null,
      kappa: null,
      asCounted: null,
    });
    await review(user, reviews);
    const full = await agreement(user, "author=j@1");
    expect(full).toMatchObject({
      name: "correct",
      author: "j@1",
      against: "review",
      judged: 100,
      leftOut: 0,
      reviewed: 40,
      asCounted: { agreement: expect.closeTo(0.85, 5), kappa: expect.closeTo(0.625, 5) },
      agreement: { value: expect.closeTo(0.897, 3) },
      kappa: { value: expect.closeTo(0.55, 3) },
      byLabel: [
        { label: "false", judged: 12, reviewed: 12, agreed: 8 },
        { label: "true", judged: 88, reviewed: 28, agreed: 26 },
      ],
    });
    expect(full.confusion).toEqual([
      { judge: "false", person: "false", runs: 8 },
      { judge: "false", person: "true", runs: 4 },
      { judge: "true", person: "false", runs: 2 },
      { judge: "true", person: "true", runs: 26 },
    ]);
    expect(await agreement(user, "author=j@2")).toMatchObject({ judged: 0, reviewed: 0, kappa: null });
    expect(await agreement(user, "agent=another")).toMatchObject({ judged: 0, author: null });
    expect(await agreement(await newUser(), "author=j@1")).toMatchObject({ judged: 0, reviewed: 0 });
  });

  it("is unknown if only complaints were reviewed", async () => {
    const user = await newUser();
    await review(
      user,
      await judged(user, [
        [20, false, false],
        [5, false, true],
        [30, true, null],
      ]),
    );
    expect(await agreement(user)).toMatchObject({ judged: 55, reviewed: 25, agreement: null, kappa: null });
  });

  it("cuts numbers by the condition of the definition, and leaves them out without one", async () => {
    const user = await newUser();
    await review(
      user,
      await judged(user, [
        [10, 0.2, false],
        [15, 0.9, true],
        [5, 0.4, true],
      ]),
    );
    expect(await agreement(user)).toMatchObject({ judged: 0, leftOut: 30, reviewed: 0 });
    const bad = [{ kind: "score", name: "correct", op: "below", value: 0.5 }];
    expectStatus(
      await user.request("PUT", "/api/outcomes", { body: { agent: "support agent", version: 0, bad } }),
      200,
    );
    expect(await agreement(user)).toMatchObject({
      judged: 30,
      leftOut: 0,
      confusion: [
        { judge: "false", person: "false", runs: 10 },
        { judge: "false", person: "true", runs: 5 },
        { judge: "true", person: "true", runs: 15 },
      ],
    });
  });

  it("takes labels for what they mean beside true and false, and as they are beside labels", async () => {
    const user = await newUser();
    const reviews = await judged(user, [
      [12, "fail", false],
      [12, "fine", true],
    ]);
    await review(user, reviews);
    await review(
      user,
      reviews.map(({ traceId, value }) => ({ traceId, name: "tone", value: value ? "kind" : "fail" })),
    );
    expect((await agreement(user)).confusion).toEqual([
      { judge: "false", person: "false", runs: 12 },
      { judge: "true", person: "true", runs: 12 },
    ]);
    expect((await agreement(user, "against=tone")).confusion).toEqual([
      { judge: "fail", person: "fail", runs: 12 },
      { judge: "fine", person: "kind", runs: 12 },
    ]);
  });

  it("counts the latest word of each judge, the majority of several, and neither a tie nor scores of spans", async () => {
    const user = await newUser();
    const [one = "", two = "", three = ""] = await send(user, run(0), run(1), run(2));
    await judge(user, [one], { id: "old", value: false, timestamp: at(1) });
    await judge(user, [one], { id: "new", value: true, timestamp: at(2) });
    await judge(user, [two], { value: false });
    await judge(user, [two], { value: true, author: "j@2" });
    await judge(user, [three], { value: false, spanId: "s1" });
    expect(await agreement(user)).toMatchObject({
      judged: 1,
      leftOut: 1,
      byLabel: [{ label: "true", judged: 1, reviewed: 0, agreed: 0 }],
    });
  });

  it("needs a name", async () => {
    const { status, json } = await (await newUser()).get("/api/scores/agreement");
    expect([status, json]).toEqual([400, { error: "name is required" }]);
  });
});
