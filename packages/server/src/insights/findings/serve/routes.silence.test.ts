import type { Findings } from "@whytrace/contract";
import {
  drawSilentRuns,
  GUILTY_BY_SCORES,
  SILENCES,
  type SilentRun,
  silentOption,
} from "@whytrace/lab/worlds/agent-simulator/draw-silent-runs.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db } = await boot();
const STEP_MS = 30 * 60_000;
const RUNS = 600;

/** Ids of traces belong to one workspace. */
const idOf = (user: Sender, index: number) => `${user.workspaceId}-${index}`;

function toTrace(user: Sender, { choices, isAsked }: SilentRun, index: number, startMs: number) {
  const at = (ms: number) => new Date(startMs + index * STEP_MS + ms).toISOString();
  return trace({
    id: idOf(user, index),
    name: "worker",
    startedAt: at(0),
    endedAt: at(5_000),
    metadata: isAsked ? { "whytrace.feedback": ["helpful"] } : {},
    decisionPoints: choices.map((choseA, number) =>
      decision({
        id: `${number}`,
        chosen: silentOption(number, choseA),
        alternatives: [silentOption(number, !choseA)],
        timestamp: at(100 * number),
      }),
    ),
  });
}

const score = (user: Sender, scores: object[]) =>
  client.request("POST", "/api/scores", {
    body: { scores },
    headers: { authorization: `Bearer ${user.key}` },
  });

/** A workspace with an agent whose users do not all vote. */
async function play(name: string, seed = 1): Promise<{ user: Sender; runs: SilentRun[] }> {
  const silence = SILENCES.find((one) => one.name === name);
  if (!silence) throw new Error(`no silence ${name}`);
  const user = await newSender(client, db);
  const runs = drawSilentRuns(silence, { runs: RUNS, seed, badRates: { a: 0.6, b: 0.2 } });
  const startMs = Date.now() - RUNS * STEP_MS - 4 * STEP_MS;
  for (let first = 0; first < RUNS; first += 200)
    expectStatus(
      await user.send(
        runs.slice(first, first + 200).map((run, offset) => toTrace(user, run, first + offset, startMs)),
      ),
      200,
    );
  const votes = runs.flatMap(({ vote }, index) =>
    vote === null ? [] : [{ traceId: idOf(user, index), name: "helpful", value: vote, source: "user" }],
  );
  expectStatus(await score(user, votes), 200);
  return { user, runs };
}
/** Asks again while agents are not counted yet. */
async function read(user: Sender, query = "lens=scored"): Promise<Findings> {
  const ask = async (): Promise<Findings> =>
    expectStatus(await user.get(`/api/insights/findings?${query}`), 200).json;
  await expect.poll(async () => (await ask()).progress, { timeout: 60_000 }).toBeNull();
  return ask();
}

describe("findings for scores", () => {
  it("count runs as they are if everybody votes", async () => {
    const { user, runs } = await play("everyone answers");
    const found = await read(user);
    expect(found).toMatchObject({
      countedRuns: RUNS,
      badRuns: runs.filter(({ vote }) => vote === false).length,
      answers: null,
      leftOut: { runs: 0, missing: [] },
    });
    expect(found.rows.filter(({ group }) => group === "worse")).toMatchObject([
      { option: silentOption(GUILTY_BY_SCORES, true), basis: "observed", refusal: null, readings: null },
    ]);
    const row = found.rows[0];
    // The failures of the same runs know nothing of votes.
    expect(await read(user, "lens=failed")).toMatchObject({
      badRuns: 0,
      rows: [],
      answers: null,
      otherLenses: [{ lens: "scored", badRuns: found.badRuns }],
    });
    expect(row?.answered).toBeNull();
    // Whoever names no lens sees what is bad.
    expect(await read(user, "")).toEqual(found);
    const day = new Date().toISOString().slice(0, 10);
    const yesterday = new Date(Date.now() - 24 * 3_600_000).toISOString().slice(0, 10);
    expect(await read(user, `from=${yesterday}&to=${day}`)).toMatchObject({
      lens: "scored",
      watched: false,
      otherLenses: [],
    });
  });

  it("say who voted, and name nobody where only complaints come", async () => {
    const { user, runs } = await play("only the unhappy, 20 %", 3);
    const found = await read(user);
    const complaints = runs.filter(({ vote }) => vote === false).length;
    expect(found.answers).toEqual({
      runs: RUNS,
      sources: ["user"],
      answered: complaints,
      bad: complaints,
      isOneSided: true,
      contradictions: [],
    });
    expect(found.rows.filter(({ group }) => group === "worse")).toEqual([]);
    for (const row of found.rows.filter(({ group }) => group === "unclear"))
      expect(row).toMatchObject({ refusal: "oneSided", basis: null, holdsIn: "silenceGood", since: null });
  });

  it("leave out runs that nobody was asked about, once asks are recorded", async () => {
    const { user, runs } = await play("asked more after an option");
    const found = await read(user);
    const notAsked = runs.filter(({ isAsked }) => !isAsked).length;
    expect(found.leftOut).toEqual({
      runs: notAsked,
      missing: [{ name: "feedback", runs: notAsked, isNotAsked: true }],
    });
    expect(found.countedRuns).toBe(RUNS - notAsked);
    expect(found.notes).toEqual(["no-situation"]);
  });

  it("say in how many runs a judge and users contradict each other", async () => {
    const user = await newSender(client, db);
    const startMs = Date.now() - 20 * STEP_MS;
    const silence = SILENCES[0];
    if (!silence) throw new Error("no silence");
    const runs = drawSilentRuns(silence, { runs: 12, seed: 1 });
    expectStatus(await user.send(runs.map((run, index) => toTrace(user, run, index, startMs))), 200);
    const of = (index: number, source: string, value: boolean) => ({
      traceId: idOf(user, index),
      name: `by ${source}`,
      source,
      value,
    });
    const scores = [0, 1, 2, 3, 4].flatMap((index) => [
      of(index, "user", index > 1),
      of(index, "judge", index > 0),
    ]);
    expectStatus(await score(user, scores), 200);
    expect((await read(user)).answers).toMatchObject({
      answered: 5,
      bad: 2,
      contradictions: [{ sources: ["user", "judge"], runs: 5, differ: 1 }],
    });
  });
});

describe("while stored runs are judged again", () => {
  it("lists, scorecards, map and findings count only days that are done, and say so", async () => {
    const { user } = await play("everyone answers", 2);
    const day = (daysAgo: number) =>
      new Date(Date.now() - daysAgo * 24 * 3_600_000).toISOString().slice(0, 10);
    const setJob = (startedAt: string | null) =>
      sql`
      insert into outcome_jobs (workspace_id, agent_hash, started_at, trace_id, left_count, next_at)
      values (${user.workspaceId}, 0, ${startedAt}, 'run-1', 41200, now() + interval '1 day')
      on conflict (workspace_id, agent_hash) do update set started_at = excluded.started_at`.execute(db);
    const get = async (path: string) => expectStatus(await user.get(path), 200).json;
    const all = await get("/api/insights/decisions");
    expect(all.judging).toBeUndefined();
    await setJob(`${day(5)}T10:00:00Z`);
    const countedFrom = `${day(4)}T00:00:00.000Z`;
    const judging = { countedFrom, runsLeft: 41_200 };
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from traces
      where workspace_id = ${user.workspaceId} and started_at >= ${countedFrom}::timestamptz`.execute(db);
    const runs = rows[0]?.count ?? 0;
    expect(runs).toBeLessThan(all.runs);
    const list = await get("/api/insights/decisions");
    expect(list).toMatchObject({ judging, runs, from: all.from });
    expect(await get(`/api/insights/decisions/${list.rows[0].signature}`)).toMatchObject({ judging, runs });
    expect(await get("/api/insights/map")).toMatchObject({ judging, runs });
    expect(await read(user)).toMatchObject({ judging, runs });
    // A definition may call any run bad or good. That an error came needs none.
    expect(await get("/api/insights/findings?lens=failed")).toMatchObject({ judging, runs });
    expect(await get("/api/insights/findings?lens=error")).toMatchObject({ runs: RUNS });
    expect((await get("/api/insights/findings?lens=error")).judging).toBeUndefined();
    await setJob(null);
    // A decision is not gone because none of its days is done, and the scorecard says what it counts.
    expect(await get(`/api/insights/decisions/${list.rows[0].signature}`)).toMatchObject({
      decisions: RUNS,
      judging: { countedFrom: null, runsLeft: 41_200, isMixed: true },
    });
    expect((await get("/api/stats/traces")).judging).toEqual({
      countedFrom: null,
      runsLeft: 41_200,
      isMixed: true,
    });
    expect(await get("/api/insights/decisions")).toMatchObject({
      judging: { countedFrom: null, runsLeft: 41_200 },
      runs: 0,
    });
  });
});
