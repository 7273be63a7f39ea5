import { randomUUID } from "node:crypto";
import type { ScoreMeans, WhyList } from "@whytrace/contract";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { beforeAll, describe, expect, it } from "vitest";

const { client, db } = await boot();
const RUNS = 60;
const OPTIONS = ["cache", "order api"] as const;
const prefix = randomUUID();
const idOf = (index: number) => `${prefix}-${index}`;
const at = (ms: number) => new Date(Date.now() - 3_600_000 + ms).toISOString();

/** Runs with an even index look into the cache, and decide as often as their index says, once to three times. */
const chosenBy = (index: number) => OPTIONS[index % 2 === 0 ? 0 : 1];
const timesOf = (index: number) => 1 + (index % 3);
/** Between 2.5 and 3.5 after the cache, a point higher after the API. */
const starsOf = (index: number) => 2.5 + (index % 5) / 4 + (index % 2);

describe("mean scores of a decision", () => {
  let user: Sender;
  let means: ScoreMeans;
  let steps: Map<string, string>;
  beforeAll(async () => {
    user = await newSender(client, db);
    const traces = Array.from({ length: RUNS }, (_, index) =>
      trace({
        id: idOf(index),
        name: "worker",
        startedAt: at(0),
        endedAt: at(9_000),
        decisionPoints: Array.from({ length: timesOf(index) }, (_one, number) =>
          decision({
            chosen: chosenBy(index),
            alternatives: OPTIONS.filter((option) => option !== chosenBy(index)),
            timestamp: at(1_000 * number),
          }),
        ),
      }),
    );
    expectStatus(await user.send(traces), 200);
    const scores = traces.flatMap(({ id }, index) => [
      { traceId: id, name: "stars", value: starsOf(index), source: "user" },
      // A person knows better than a judge, and a score on the run says more than one on a decision of it.
      ...(index < 50
        ? [
            { traceId: id, name: "correct", value: index % 4 === 0, source: "person" },
            { traceId: id, name: "correct", value: true, source: "judge" },
          ]
        : []),
      ...(index < 10 ? [{ traceId: id, name: "tone", value: "polite", source: "judge" }] : []),
    ]);
    const headers = { authorization: `Bearer ${user.key}` };
    expectStatus(await client.request("POST", "/api/scores", { body: { scores }, headers }), 200);
    const list: WhyList = expectStatus(await user.get("/api/insights/decisions"), 200).json;
    const [row] = list.rows;
    steps = new Map(row?.options.map(({ name, step }) => [name, step]));
    means = expectStatus(await user.get(`/api/insights/decisions/${row?.signature}/means`), 200).json;
  });
  const meanOf = (name: string, option: string) =>
    means.names.find((one) => one.name === name)?.options.find(({ step }) => step === steps.get(option));

  it("are those of names with numbers or booleans, the most frequent first", () => {
    expect(means.read).toBe(RUNS);
    expect(means.names.map(({ name, isShare, runs }) => ({ name, isShare, runs }))).toEqual([
      { name: "stars", isShare: false, runs: RUNS },
      { name: "correct", isShare: true, runs: 50 },
    ]);
  });

  it("count each decision, and a run with several as one observation for the interval", () => {
    for (const [parity, option] of OPTIONS.entries()) {
      const runs = Array.from({ length: RUNS }, (_, index) => index).filter((index) => index % 2 === parity);
      const sum = (of: (index: number) => number) => runs.reduce((total, index) => total + of(index), 0);
      const decisions = sum(timesOf);
      const mean = sum((index) => timesOf(index) * starsOf(index)) / decisions;
      const spread = sum((index) => (timesOf(index) * (starsOf(index) - mean)) ** 2);
      const error = Math.sqrt((runs.length / (runs.length - 1)) * spread) / decisions;
      const found = meanOf("stars", option);
      expect(found).toMatchObject({ decisions, runs: runs.length });
      expect(found?.mean?.value).toBeCloseTo(mean, 10);
      // Student's t lies above 1.96, and not far above with so many runs.
      const reach = (found?.mean?.high ?? 0) - mean;
      expect(reach / error).toBeGreaterThan(1.96);
      expect(reach / error).toBeLessThan(2.12);
    }
  });

  it("take a person's word before that of a judge", () => {
    expect(meanOf("correct", "order api")?.mean).toEqual({ value: 0, low: 0, high: 0 });
    expect(meanOf("correct", "cache")?.mean?.value).toBeGreaterThan(0.4);
  });

  it("are not those of another workspace", async () => {
    const other = await newSender(client, db);
    const { signature } = expectStatus(await user.get("/api/insights/decisions"), 200).json.rows[0];
    expect((await other.get(`/api/insights/decisions/${signature}/means`)).status).toBe(404);
  });
});
