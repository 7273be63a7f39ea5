import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { describe, expect, it } from "vitest";

const { client, db } = await boot();

const health = async (user: Sender, query = "") =>
  expectStatus(await user.get(`/api/insights/agents/health${query}`), 200).json;
const minutesAgo = (minutes: number) => new Date(Date.now() - 60_000 * minutes).toISOString();

describe("GET /api/insights/agents/health", () => {
  it("counts all runs of each agent, also those that decided nothing, and names the newest release", async () => {
    const user = await newSender(client, db);
    const run = (fields: object) => trace({ name: "order 4711 agent", startedAt: minutesAgo(9), ...fields });
    await user.send([
      run({ status: "ERROR", totalCost: 0.25, totalDuration: 100 }),
      run({ totalCost: 0.5, totalDuration: 300, tags: ["v2.0.0"], startedAt: minutesAgo(5) }),
      run({ name: "order 4712 agent", totalDuration: 200 }),
      run({ status: "RUNNING" }),
      run({ name: "idle", status: "RUNNING" }),
    ]);
    const { agents, isTruncated } = await health(user);
    expect(agents).toMatchObject([
      {
        name: "order # agent",
        runs: 4,
        badRuns: 1,
        openRuns: 1,
        costUsd: 0.75,
        durationMs: 200,
        release: "v2.0.0",
        badShare: { value: expect.closeTo(1 / 3, 8) },
      },
      {
        name: "idle",
        runs: 1,
        badRuns: 0,
        openRuns: 1,
        badShare: null,
        costUsd: null,
        durationMs: null,
        release: null,
      },
    ]);
    expect(isTruncated).toBe(false);
    expect((await health(user, "?agent=order%204713%20agent")).agents).toEqual(agents.slice(0, 1));
    expect((await health(user, "?agent=unknown")).agents).toEqual([]);
  });

  it("is as unsure of runs of few sessions as there are sessions", async () => {
    const user = await newSender(client, db);
    const runs = (name: string, sessionId: (index: number) => string | undefined) =>
      Array.from({ length: 40 }, (_, index) =>
        trace({
          name,
          sessionId: sessionId(index),
          status: index < 10 ? "ERROR" : "COMPLETED",
          startedAt: minutesAgo(9),
        }),
      );
    await user.send([
      ...runs("alone", () => undefined),
      ...runs("together", (index) => `s${Math.floor(index / 10)}`),
    ]);
    const [alone, together] = (await health(user)).agents;
    expect(together.badShare.value).toBe(alone.badShare.value);
    expect(together.badShare.high - together.badShare.low).toBeGreaterThan(
      2 * (alone.badShare.high - alone.badShare.low),
    );
  });

  it("counts nothing of another user", async () => {
    const [user, other] = [await newSender(client, db), await newSender(client, db)];
    await other.send([trace({ startedAt: minutesAgo(1) })]);
    expect((await health(user)).agents).toEqual([]);
  });
});
