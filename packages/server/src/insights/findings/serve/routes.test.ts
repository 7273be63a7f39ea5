import { type FindingItem, type Findings, findingSentence } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { type WorldTraces, worldTraces } from "@whytrace/lab/worlds/world-traces.ts";
import { agentRun, otlpAttributes, otlpTraces } from "@whytrace/testing/otlp/otlp-samples.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";

const { client, db } = await boot();

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const RUNS = 300;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** A workspace with an agent of a world. Its runs started within the last 20 days. */
async function play(world: string, name = "worker", user?: Sender): Promise<WorldTraces & { user: Sender }> {
  const owner = user ?? (await newSender(client, db));
  const stepMs = 90 * MINUTE_MS;
  const startedAtMs = Date.now() - RUNS * stepMs - 2 * 60 * MINUTE_MS;
  const drawn = worldTraces({ world, name, runs: RUNS, startedAtMs, stepMs });
  expectStatus(await owner.send(drawn.traces), 200);
  return { ...drawn, user: owner };
}
const read = async (user: Sender, query = ""): Promise<Findings> =>
  expectStatus(await user.get(`/api/insights/findings${query}`), 200).json;
const claimsOf = ({ rows }: Findings) =>
  rows
    .filter(({ group }) => group === "worse")
    .map(({ kind, option }) => `${kind === "chose" ? "chose" : "left out"} ${option}`);
const ownRange = (days: number) =>
  `from=${dayOf(Date.now() - days * DAY_MS)}T00:00:00Z&to=${dayOf(Date.now() + DAY_MS)}T00:00:00Z`;

describe("of an agent with a culprit", () => {
  let near: Awaited<ReturnType<typeof play>>;
  let found: Findings;
  beforeAll(async () => {
    near = await play("near culprit");
    found = await read(near.user);
  });

  it("names it, with figures from the same situation", () => {
    expect(claimsOf(found).some((claim) => near.agent.guilty.some((truth) => truth === claim))).toBe(true);
    expect(found).toMatchObject({
      agent: null,
      lens: "failed",
      watched: true,
      progress: null,
      runs: RUNS,
      countedRuns: RUNS,
      abandonedRuns: 0,
      clusters: RUNS,
      notes: ["no-situation"],
    });
    expect(found.badRuns).toBe(near.traces.filter(({ status }) => status === "ERROR").length);
    const [row] = found.rows;
    expect(row).toMatchObject({
      agent: "worker",
      place: "invoke_agent worker",
      type: "TOOL_SELECTION",
      isObserved: false,
      experiment: null,
      since: dayOf(Date.now()),
    });
    const { rate, otherRate, ratio, hiddenReason, comparable, decisions, adjusted } = figuresOf(row);
    expect(rate).toBeGreaterThan(otherRate);
    expect(ratio).toBeGreaterThan(1);
    expect(hiddenReason).toBeCloseTo(ratio + Math.sqrt(ratio * (ratio - 1)), 9);
    expect(comparable).toBeLessThanOrEqual(decisions);
    expect(adjusted).toBeLessThan(0.005);
  });

  it("stores hashes and counts, and neither a text nor an id of a trace", async () => {
    const { rows } = await sql<{ text: string }>`
      select body::text || since::text as text from why_findings
      where workspace_id = ${near.user.workspaceId}`.execute(db);
    // The server's own worker, which looks for lists once after the start, may have stored that of errors, too.
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows)
      for (const hidden of [...near.agent.tools, "worker", ...near.traces.map(({ id }) => id)])
        expect(text).not.toContain(hidden);
  });

  it("reads the stored list again, and computes another lens and window when it is asked for first", async () => {
    expect(await read(near.user)).toEqual(found);
    expect((await read(near.user, "?agent=worker")).computedAt).toBe(found.computedAt);
    expect(await read(near.user, "?lens=error")).toMatchObject({ lens: "error", watched: true, runs: RUNS });
    const week = await read(
      near.user,
      `?from=${dayOf(Date.now() - 6 * DAY_MS)}T00:00:00Z&to=${new Date().toISOString()}`,
    );
    expect(week.watched).toBe(true);
    expect(week.runs).toBeLessThan(RUNS);
    const { rows } = await sql<{ lens: number; windowDays: number }>`
      select lens, window_days from why_findings where workspace_id = ${near.user.workspaceId}
      order by 1, 2`.execute(db);
    expect(rows.map(({ lens, windowDays }) => [lens, windowDays])).toEqual([
      [0, 7],
      [0, 30],
      [1, 30],
    ]);
  });

  it("computes a range of your own for you, unwatched", async () => {
    const own = await read(near.user, `?agent=worker&${ownRange(40)}`);
    expect(own).toMatchObject({ watched: false, runs: RUNS, agent: "worker" });
    expect(claimsOf(own)).toEqual(expect.arrayContaining(claimsOf(found)));
    expect(own.rows.every(({ since }) => since === null)).toBe(true);
  });

  it("leaves out a decision that was set aside, and counts what it explained as chance", async () => {
    const path = `/api/insights/set-aside/${found.rows[0]?.signature}`;
    expectStatus(await near.user.put(path), 200);
    const left = await read(near.user);
    expect(claimsOf(left)).toEqual([]);
    expect(left).toMatchObject({ badRuns: found.badRuns, chance: found.badRuns });
    expectStatus(await near.user.delete(path), 200);
    expect(await read(near.user)).toEqual(found);
  });

  it("computes one such range of a workspace at a time, and says when to try again", async () => {
    const other = await play("chance");
    const ask = (user: Sender, days: number) => user.get(`/api/insights/findings?${ownRange(days)}`);
    const responses = await Promise.all([41, 42, 43, 44].map((days) => ask(near.user, days)));
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(responses.length - refused.length).toBeGreaterThan(0);
    for (const { json, headers } of refused) {
      expect(json.error).toBe("Other findings are being computed. Try again in 5 s.");
      expect(headers.get("retry-after")).toBe("5");
    }
    const [mine, others] = await Promise.all([ask(near.user, 41), ask(other.user, 42)]);
    expect([mine?.status, others?.status]).toEqual([200, 200]);
  });

  it("shows nothing of it to another workspace", async () => {
    const stranger = await newSender(client, db);
    expect(await read(stranger, "?agent=worker")).toMatchObject({
      runs: 0,
      badRuns: 0,
      chance: 0,
      computedAt: null,
      rows: [],
      notes: [],
    });
  });

  it("is deleted with the last run of the agent", async () => {
    const { user, traces } = await play("near culprit");
    await read(user);
    const count = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from why_findings where workspace_id = ${user.workspaceId}`.execute(db);
      return rows[0]?.count;
    };
    const [last, ...others] = traces;
    for (const { id } of others.slice(0, 3)) await user.request("DELETE", `/api/traces/${id}`);
    expect(await count()).toBeGreaterThan(0);
    const ids = others.slice(3).map(({ id }) => id);
    await sql`delete from traces where workspace_id = ${user.workspaceId} and id = any(${ids}::text[])`.execute(
      db,
    );
    expectStatus(await user.request("DELETE", `/api/traces/${last?.id}`), 200);
    expect(await count()).toBe(0);
    expect(await read(user)).toMatchObject({ runs: 0, rows: [] });
  });
});

describe("of agents without a culprit", () => {
  it.each(["chance", "usual order"])("names nothing in the world %s", async (world) => {
    const { user } = await play(world);
    const found = await read(user);
    expect(claimsOf(found)).toEqual([]);
    expect(found.badRuns).toBeGreaterThan(0);
    expect(found.chance).toBe(found.badRuns);
  });
});

it.each(["near culprit", "two together", "left out at the start", "circling"])(
  "divides the bad runs of the world %s between rows and chance",
  async (world) => {
    const { user } = await play(world);
    const { rows, chance, badRuns } = await read(user, `?${ownRange(40)}`);
    const worse = rows.filter(({ group }) => group === "worse");
    const explained = worse.reduce((sum, { explains }) => sum + (explains ?? 0), 0);
    expect(worse.length).toBeGreaterThan(0);
    if (worse.every(({ togetherWith }) => togetherWith.length === 0))
      expect(Math.abs(explained + chance - badRuns)).toBeLessThan(0.5);
    else expect(explained + chance).toBeGreaterThan(badRuns - 0.5);
  },
);

it("says that an option was left out", async () => {
  const { user, agent } = await play("left out anywhere");
  const found = await read(user);
  expect(claimsOf(found)).toContain(agent.guilty[0]);
  expect(found.rows.find(({ kind }) => kind === "left-out")?.isAdjusted).toBe(true);
});

it("lists all agents together, and each alone", async () => {
  const { user, agent } = await play("near culprit", "guilty");
  await play("chance", "innocent", user);
  const all = await read(user);
  expect(all.runs).toBe(2 * RUNS);
  expect(new Set(all.rows.filter(({ group }) => group === "worse").map((row) => row.agent))).toEqual(
    new Set(["guilty"]),
  );
  expect(claimsOf(all).some((claim) => agent.guilty.some((truth) => truth === claim))).toBe(true);
  expect(await read(user, "?agent=innocent")).toMatchObject({ agent: "innocent", runs: RUNS });
});

it("refuses another lens in words", async () => {
  const user = await newSender(client, db);
  const ask = async (lens: string) =>
    expectStatus(await user.get(`/api/insights/findings?lens=${encodeURIComponent(lens)}`), 400).json.error;
  expect(await ask("bad")).toBe("Invalid lens: bad");
  expect(await ask("$& failed")).toBe("Invalid lens: $& failed");
  expect((await user.get("/api/insights/findings?lens=scored")).status).toBe(200);
});

describe("the runs that are counted", () => {
  const NOW = Date.now();
  const at = (ms: number) => new Date(NOW - ms).toISOString();
  const small = (minutes: number, overrides = {}) =>
    trace({
      name: "small",
      startedAt: at(minutes * MINUTE_MS),
      spans: [span({ startedAt: at(minutes * MINUTE_MS) })],
      decisionPoints: [decision({ timestamp: at(minutes * MINUTE_MS) })],
      ...overrides,
    });
  const send = async (user: Sender, traces: object[]) => {
    for (let first = 0; first < traces.length; first += 250)
      expectStatus(await user.send(traces.slice(first, first + 250)), 200);
  };

  it("are the newest 1,000, and a note says if there are more", async () => {
    const user = await newSender(client, db);
    await send(
      user,
      Array.from({ length: 1_000 }, (_, index) => small(index + 10)),
    );
    expect(await read(user)).toMatchObject({ runs: 1_000, countedRuns: 1_000, notes: ["no-situation"] });
    await user.send([small(2_000, { status: "ERROR" })]);
    const found = await read(user, `?${ownRange(40)}`);
    expect(found).toMatchObject({
      runs: 1_001,
      countedRuns: 1_000,
      badRuns: 0,
      notes: ["newest-runs", "no-situation"],
    });
    // The older run failed, too: from the oldest counted run on, the list of traces has just the counted ones.
    const failed = (range: string) => user.get(`/api/traces?lens=failed&${range}`);
    expectStatus(await failed(""), 200);
    expect((await failed("")).json.total).toBe(1);
    expect((await failed(`startedFrom=${found.countedFrom}`)).json.total).toBe(0);
    expect((await user.get(`/api/traces?startedFrom=${found.countedFrom}`)).json.total).toBe(1_000);
  });

  it("are those that ended, or that nothing came of for an hour; a note says if many are open", async () => {
    const user = await newSender(client, db);
    const running = { status: "RUNNING" };
    const [silent, active] = [small(90, running), small(90, running)];
    await send(user, [
      ...Array.from({ length: 18 }, (_, n) => small(100 + n)),
      silent,
      active,
      small(5, running),
    ]);
    await sql`
      update traces set created_at = now() - interval '61 minutes'
      where workspace_id = ${user.workspaceId} and id in (${silent.id}, ${active.id})`.execute(db);
    // A program that sends a run again says by its spans that the run goes on.
    await sql`
      update spans set started_at = now() - interval '59 minutes'
      where workspace_id = ${user.workspaceId} and trace_id = ${active.id}`.execute(db);
    expect(await read(user)).toMatchObject({
      runs: 21,
      countedRuns: 19,
      abandonedRuns: 1,
      badRuns: 1,
      notes: ["open-runs", "no-situation"],
    });
  });
});

describe("of sampled runs", () => {
  it("counts each run as so many as it stands for", async () => {
    const user = await newSender(client, db);
    const stepMs = 90 * MINUTE_MS;
    const startedAtMs = Date.now() - RUNS * stepMs - 2 * 60 * MINUTE_MS;
    const { traces } = worldTraces({ world: "near culprit", name: "kept", runs: RUNS, startedAtMs, stepMs });
    const failed = traces.filter(({ status }) => status === "ERROR").length;
    const sampled = traces.map((one) => ({ ...one, sampleProbability: one.status === "ERROR" ? 1 : 0.1 }));
    expectStatus(await user.send(sampled), 200);
    const found = await read(user);
    expect(found).toMatchObject({ countedRuns: RUNS, badRuns: failed, notes: ["no-situation"] });
    expect(found.standsFor).toBeCloseTo(failed + 10 * (RUNS - failed), 6);
    const [row] = found.rows;
    expect(row?.group).toBe("worse");
    // All of them were sent: three quarters of those that chose it would seem to fail.
    const everything = await read((await play("near culprit")).user);
    expect(row?.rate).toBeLessThan((everything.rows[0]?.rate ?? 0) / 2);
  });

  const range = "?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z";
  const ids = ["a", "b", "c"].map((digit) => digit.repeat(32));
  const sendRun = (user: Sender, traceId: string, attributes: object, traceState?: string) => {
    const [root, ...others] = agentRun(traceId, 9);
    const sent = {
      ...root,
      traceState,
      attributes: [...(root?.attributes ?? []), ...otlpAttributes(attributes)],
    };
    const headers = { authorization: `Bearer ${user.key}` };
    return client.request("POST", "/v1/traces", { headers, body: otlpTraces([sent, ...others]) });
  };

  it("says if some runs by OpenTelemetry were sampled, and others do not say what was kept", async () => {
    const user = await newSender(client, db);
    const probabilities = async () =>
      Promise.all(ids.map(async (id) => (await user.get(`/api/traces/${id}`)).json.sampleProbability));
    expectStatus(await sendRun(user, ids[0] ?? "", { "sampling.probability": 0.25 }), 200);
    expectStatus(await sendRun(user, ids[1] ?? "", {}, "ot=th:8"), 200);
    expect(await read(user, range)).toMatchObject({ standsFor: 6, notes: ["no-situation"] });
    expectStatus(await sendRun(user, ids[2] ?? "", {}), 200);
    expect(await read(user, range)).toMatchObject({
      standsFor: 7,
      notes: ["unknown-sampling", "no-situation"],
    });
    expect(await probabilities()).toEqual([0.25, 0.5, null]);
  });

  it("says nothing about sampling if no run was sampled", async () => {
    const user = await newSender(client, db);
    expectStatus(await sendRun(user, "d".repeat(32), {}), 200);
    expectStatus(await sendRun(user, "e".repeat(32), { "sampling.probability": 1 }), 200);
    expect(await read(user, range)).toMatchObject({ standsFor: 2, notes: ["no-situation"] });
  });
});

describe("of runs in which options were drawn", () => {
  const OPTIONS = ["deep", "quick"];
  /** Hard cases fail more often and make the agent choose `deep`. `harm` is what the choice itself adds. */
  async function playHardCases(seed: number, { harm, hasDraws }: { harm: number; hasDraws: boolean }) {
    const user = await newSender(client, db);
    const random = new Random(seed);
    const startedAtMs = Date.now() - 1_000 * 20 * MINUTE_MS - 2 * 60 * MINUTE_MS;
    const traces = Array.from({ length: 1_000 }, (_, index) => {
      const isHard = random.chance(0.3);
      const isDrawn = random.chance(0.3);
      const isDeep = random.chance(isDrawn ? 0.5 : isHard ? 0.8 : 0.15);
      const isFailed = random.chance((isHard ? 0.5 : 0.08) + (isDeep ? harm : 0));
      const startedAt = new Date(startedAtMs + index * 20 * MINUTE_MS).toISOString();
      const [chosen, other] = isDeep ? OPTIONS : OPTIONS.toReversed();
      const status = isFailed ? "ERROR" : "COMPLETED";
      const point = decision({ type: "ROUTING", chosen, alternatives: [other], timestamp: startedAt });
      return trace({
        name: "router",
        status,
        startedAt,
        spans: [span({ name: "answer", status, startedAt })],
        decisionPoints: [{ ...point, probability: hasDraws && isDrawn ? 0.5 : null }],
      });
    });
    for (let first = 0; first < traces.length; first += 250)
      expectStatus(await user.send(traces.slice(first, first + 250)), 200);
    return read(user);
  }

  it("names a harmless option by observation alone, and clears it by the draws", async () => {
    expect(claimsOf(await playHardCases(1, { harm: 0, hasDraws: false }))).toContain("chose deep");
    const drawn = await playHardCases(1, { harm: 0, hasDraws: true });
    expect(claimsOf(drawn)).not.toContain("chose deep");
    expect(drawn.chance).toBeCloseTo(drawn.badRuns, 6);
  });

  it("says of a harmful option what the draws measured", async () => {
    const found = await playHardCases(2, { harm: 0.4, hasDraws: true });
    const row = found.rows.find(({ option }) => option === "deep");
    expect(row?.group).toBe("worse");
    expect(row?.experiment?.low).toBeGreaterThan(0);
    expect(row?.experiment?.high).toBeGreaterThan(0.4);
    expect(row?.experiment?.drawn).toBeGreaterThan(200);
    expect(row && findingSentence(row, found).text).toContain(
      ` Measured by experiment, ${row?.experiment?.drawn} drawn runs: those that drew it failed `,
    );
  });
});

/** The figures of a row that is not apart. */
function figuresOf(row: FindingItem | undefined) {
  const { rate, otherRate, ratio, hiddenReason, adjusted, comparable, decisions } = row ?? {};
  const isNumber = (value: unknown) => typeof value === "number";
  expect([rate, otherRate, ratio, hiddenReason, adjusted].every(isNumber)).toBe(true);
  return {
    rate: rate ?? 0,
    otherRate: otherRate ?? 0,
    ratio: ratio ?? 0,
    hiddenReason: hiddenReason ?? 0,
    adjusted: adjusted ?? 1,
    comparable: comparable ?? 0,
    decisions: decisions ?? 0,
  };
}
