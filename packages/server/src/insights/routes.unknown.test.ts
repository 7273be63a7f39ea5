import { randomUUID } from "node:crypto";
import type { DecisionMap, DriftReport, WhyList } from "@whytrace/contract";
import { outcomeNotes } from "@whytrace/contract";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { beforeAll, describe, expect, it, vi } from "vitest";

const { client, db } = await boot();
const now = Date.now();
const prefix = randomUUID();
const OPTIONS = ["cache", "order api"];

/** A run that decides twice the same. */
const runOf = (index: number, release: string, option: number) =>
  trace({
    id: `${prefix}-${release}-${index}`,
    name: "worker",
    tags: [`release:${release}`],
    startedAt: new Date(now - 60_000).toISOString(),
    endedAt: new Date(now - 50_000).toISOString(),
    decisionPoints: [0, 1].map((number) =>
      decision({
        chosen: OPTIONS[option],
        alternatives: [OPTIONS[1 - option]],
        timestamp: new Date(now - 59_000 + number).toISOString(),
      }),
    ),
  });

describe("runs whose outcome is unknown", () => {
  let user: Sender;
  const get = async <T>(path: string): Promise<T> =>
    expectStatus(await user.get(`/api/insights/${path}`), 200).json;
  beforeAll(async () => {
    user = await newSender(client, db);
    const bad = [{ kind: "score", name: "correct", op: "is", value: false, missing: "unknown" }];
    expectStatus(await user.put("/api/outcomes", { agent: null, version: 0, bad }), 200);
    // In v1 all choose the cache, in v2 the order API.
    const runs = Array.from({ length: 40 }, (_, index) => [runOf(index, "v1", 0), runOf(index, "v2", 1)]);
    expectStatus(await user.send(runs.flat()), 200);
    const scores = Array.from({ length: 30 }, (_, index) => ({
      traceId: `${prefix}-v1-${index}`,
      name: "correct",
      value: index >= 6,
      source: "judge",
    }));
    const headers = { authorization: `Bearer ${user.key}` };
    expectStatus(await client.request("POST", "/api/scores", { body: { scores }, headers }), 200);
    // The definition may still be applied to runs.
    await vi.waitUntil(async () => !(await get<WhyList>("decisions")).judging, { timeout: 20_000 });
  });

  it("are left out of rates, and said to be", async () => {
    const list = await get<WhyList>("decisions");
    expect(list).toMatchObject({
      runs: 80,
      failedRuns: 6,
      leftOut: { runs: 50, missing: [{ name: "correct", runs: 50 }] },
    });
    expect(outcomeNotes(list)).toEqual(["Counted 30 of 80 runs. Left out: 50 without a score correct."]);
    const options = new Map(list.rows[0]?.options.map((option) => [option.name, option]));
    expect(options.get("cache")).toMatchObject({
      rate: { decisions: 60, failed: 12, runs: 30 },
      unknown: 20,
      answered: 60,
    });
    expect(options.get("order api")).toMatchObject({
      rate: { decisions: 0, runs: 0 },
      unknown: 80,
      answered: 0,
    });
  });

  it("count in drift: shares need no outcome", async () => {
    const { rows } = await get<DriftReport>("drift?agent=worker&release=v2&baseRelease=v1");
    expect(rows).toMatchObject([{ isDrifting: true, baseDecisions: 80, currentDecisions: 80 }]);
    expect(rows[0]?.options.map(({ name, base, current }) => [name, base, current]).sort()).toEqual([
      ["cache", 80, 0],
      ["order api", 0, 80],
    ]);
  });

  it("are shown in the map apart from what failed, and every choice is the sum of its paths", async () => {
    const map = await get<DecisionMap>("map?agent=worker");
    expect(map).toMatchObject({ runs: 80, failedRuns: 6, leftOut: { runs: 50 } });
    const nodeOf = (name: string) => map.nodes.find((node) => node.name === name);
    expect(nodeOf("cache")).toMatchObject({
      times: 80,
      failedTimes: 12,
      unknownTimes: 20,
      runs: 30,
      ended: { fine: 24, failed: 6, unknown: 10 },
    });
    expect(nodeOf("order api")).toMatchObject({
      times: 80,
      failedTimes: 0,
      unknownTimes: 80,
      ended: { fine: 0, failed: 0, unknown: 40 },
    });
    for (const { step, times } of map.nodes) {
      const into = map.edges.filter(({ to }) => to === step);
      if (step !== "00000000" && into.length > 0)
        expect(into.reduce((sum, edge) => sum + edge.times, 0)).toBe(times);
    }
  });
});
