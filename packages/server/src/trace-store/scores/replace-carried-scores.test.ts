import type { Score } from "@whytrace/contract/schemas/scores";
import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { Client, expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db } = await boot();

type Fields = Record<string, unknown>;
const newUser = () => newSender(client, db);
const thumb = (value: unknown, fields: Fields = {}) =>
  event({ type: "USER_FEEDBACK", name: "helpful", metadata: { value }, ...fields });
const send = async (user: Sender, ...traces: unknown[]) => expectStatus(await user.send(traces), 200);
const scoresOf = async (user: Sender, traceId: string): Promise<Score[]> =>
  expectStatus(await user.get(`/api/scores?traceId=${traceId}&limit=100`), 200).json.scores;
const sendScores = async (user: Sender, ...scores: Fields[]) => {
  const headers = { authorization: `Bearer ${user.key}` };
  return expectStatus(
    await new Client(client.url).request("POST", "/api/scores", { body: { scores }, headers }),
    200,
  );
};
const outcomeOf = async (user: Sender, id: string) =>
  expectStatus(await user.get(`/api/traces/${id}/outcome`), 200).json;
/** How the row of a trace says that it is judged. */
const rowOf = async (id: string) => {
  const { rows } = await sql<Fields>`
    select outcome, outcome_flags, definition, encode(marks, 'hex') as marks, score_count from traces where id = ${id}`.execute(
    db,
  );
  return rows[0];
};

describe("an event with what a user says", () => {
  it("is a score of its span, or of the run, and stays an event", async () => {
    const user = await newUser();
    const sent = trace({
      spans: [span({ id: "s1" })],
      events: [
        thumb(false, { metadata: { value: false, comment: "no", page: 3 }, spanId: "s1" }),
        thumb(4.5, { name: "stars" }),
        thumb("rude", { name: "tone" }),
      ],
    });
    await send(user, sent);
    const scores = (await scoresOf(user, sent.id)).map((score) => [
      score.name,
      score.value,
      score.kind,
      score.comment,
      score.spanId,
      score.source,
      score.author,
      score.timestamp,
    ]);
    const at = "2026-01-02T03:04:05.900Z";
    expect(scores.sort()).toEqual([
      ["helpful", false, "boolean", "no", "s1", "user", null, at],
      ["stars", 4.5, "number", null, null, "user", null, at],
      ["tone", "rude", "label", null, null, "user", null, at],
    ]);
    expect((await user.get(`/api/traces/${sent.id}`)).json.events).toHaveLength(3);
  });

  it("is no score without a value that a score can have, or if it is of another type", async () => {
    const user = await newUser();
    const events = [
      ...[null, {}, [1], "", "x".repeat(201)].map((value) => thumb(value)),
      thumb(0, { metadata: undefined }),
      thumb(0, { metadata: ["value"] }),
      thumb(0, { metadata: "value" }),
      thumb(0, { metadata: { text: '"value"' } }),
      thumb(0, { type: "CUSTOM" }),
    ];
    const sent = trace({ events });
    await send(user, sent);
    expect(await scoresOf(user, sent.id)).toEqual([]);
    expect(await rowOf(sent.id)).toMatchObject({ outcome: 0, scoreCount: 0 });
  });

  it("is truncated and made storable rather than refused", async () => {
    const user = await newUser();
    const sent = trace({
      events: [
        thumb("nul \0", { name: "ä".repeat(150), metadata: { value: "nul \0", comment: "ü".repeat(3000) } }),
      ],
    });
    await send(user, sent);
    const [score] = await scoresOf(user, sent.id);
    expect([score?.name, score?.value, score?.comment]).toEqual([
      "ä".repeat(100),
      "nul \uFFFD",
      "ü".repeat(2000),
    ]);
  });

  it("counts only as far as a trace may have scores", async () => {
    const user = await newUser();
    const sent = trace({ events: Array.from({ length: 1_001 }, () => thumb(true)) });
    await send(user, sent);
    expect(await rowOf(sent.id)).toMatchObject({ scoreCount: 1_000 });
    const refused = await user.post("/api/scores", {
      scores: [{ traceId: sent.id, name: "review", value: true }],
    });
    expect([refused.status, refused.json]).toEqual([
      409,
      { error: `Score limit of trace ${sent.id} reached (1000)` },
    ]);
  });
});

describe("a score that a trace carries", () => {
  it("comes, changes and goes with the trace, and leaves the scores of others alone", async () => {
    const user = await newUser();
    const events = [thumb(false), thumb(true, { name: "polite" })];
    const sent = trace({ status: "RUNNING", events });
    await send(user, sent);
    await sendScores(user, { id: "other", traceId: sent.id, name: "helpful", value: true, source: "judge" });
    const named = async () =>
      (await scoresOf(user, sent.id)).map(({ name, value, source }) => `${source} ${name} ${value}`).sort();
    expect(await named()).toEqual(["judge helpful true", "user helpful false", "user polite true"]);
    const [before] = (await scoresOf(user, sent.id)).filter(({ name }) => name === "polite");
    for (let times = 0; times < 2; times += 1)
      await send(user, {
        ...sent,
        status: "COMPLETED",
        events: [{ ...events[0], metadata: { value: 3 } }, events[1]],
      });
    expect(await named()).toEqual(["judge helpful true", "user helpful 3", "user polite true"]);
    expect((await scoresOf(user, sent.id)).find(({ name }) => name === "polite")).toEqual(before);
    await send(user, { ...sent, events: [] });
    expect(await named()).toEqual(["judge helpful true"]);
    expect(await rowOf(sent.id)).toMatchObject({ scoreCount: 1 });
    await send(user, sent);
    await user.delete(`/api/traces/${sent.id}`);
    expect(await named()).toEqual([]);
  });

  it("cannot be deleted alone, nor changed by a score with its id", async () => {
    const user = await newUser();
    const sent = trace({ events: [thumb(false)] });
    await send(user, sent);
    const [score] = await scoresOf(user, sent.id);
    const refused = await user.delete(`/api/scores/${score?.id}`);
    expect([refused.status, refused.json]).toEqual([409, { error: "This score is part of its trace" }]);
    for (const traceId of [sent.id, "another"])
      await sendScores(user, {
        id: score?.id,
        traceId,
        name: "helpful",
        value: true,
        timestamp: new Date().toISOString(),
      });
    expect(await scoresOf(user, sent.id)).toEqual([score]);
  });

  it("takes the place of an exported one that was imported before its trace came", async () => {
    const [user, other] = [await newUser(), await newUser()];
    const sent = trace({ events: [thumb(false)] });
    await send(user, sent);
    const [exported] = await scoresOf(user, sent.id);
    await user.delete(`/api/traces/${sent.id}`);
    const { kind: _kind, isWaiting: _isWaiting, createdAt: _createdAt, ...score } = exported ?? {};
    await sendScores(other, { ...score, value: true });
    await send(other, sent);
    expect(await scoresOf(other, sent.id)).toMatchObject([{ value: false, isWaiting: false }]);
    expect((await outcomeOf(other, sent.id)).outcome).toBe("bad");
    await send(other, { ...sent, events: [] });
    expect(await scoresOf(other, sent.id)).toEqual([]);
  });

  it("is judged with its trace at once, and as if it had come alone", async () => {
    const user = await newUser();
    const decided = (fields: Fields) =>
      decision({ parentSpanId: "s1", timestamp: "2026-01-02T03:04:05.750Z", ...fields });
    const shape = {
      spans: [
        span({ id: "s1", endedAt: "2026-01-02T03:04:06.000Z" }),
        span({ id: "s2", startedAt: "2026-01-02T03:04:07.000Z" }),
      ],
      decisionPoints: [
        decided({ id: "d1" }),
        decided({ id: "d2", parentSpanId: "s2", timestamp: "2026-01-02T03:04:07.500Z" }),
      ],
    };
    for (const place of [null, "s1", "gone"]) {
      const carries = trace({ ...shape, events: [thumb(false, { spanId: place })] });
      const plain = trace({ ...shape, events: [] });
      await send(user, carries, plain);
      const row = await rowOf(carries.id);
      expect(row).toMatchObject({ outcome: 1, scoreCount: 1 });
      expect((await outcomeOf(user, carries.id)).reasons).toMatchObject([
        { kind: "feedback", place: place === null ? { kind: "run", id: null } : { kind: "span", id: place } },
      ]);
      await sendScores(user, {
        traceId: plain.id,
        spanId: place,
        name: "helpful",
        value: false,
        source: "user",
      });
      expect(await rowOf(plain.id)).toEqual(row);
      await send(user, carries);
      expect(await rowOf(carries.id)).toEqual(row);
    }
  });

  it("is judged by the definition in force", async () => {
    const user = await newUser();
    const bad = [{ kind: "score", name: "stars", op: "below", value: 3, missing: "unknown" }];
    expectStatus(await user.put("/api/outcomes", { agent: null, version: 0, bad }), 200);
    const outcomes = [1, 5, undefined].map(async (stars) => {
      const sent = trace({ events: stars === undefined ? [] : [thumb(stars, { name: "stars" })] });
      await send(user, sent);
      return (await outcomeOf(user, sent.id)).outcome;
    });
    expect(await Promise.all(outcomes)).toEqual(["bad", "good", "unknown"]);
  });
});
