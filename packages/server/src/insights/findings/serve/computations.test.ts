import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { asWorkspaceId } from "../../../db/workspace-id.ts";
import { Computations } from "./computations.ts";

const [ONE, OTHER] = [asWorkspaceId("one"), asWorkspaceId("other")];
const AGENTS = [1, 2, 3];

const failures: unknown[] = [];
const newComputations = (budgetMs?: number) =>
  new Computations<string>((error) => failures.push(error), budgetMs);

/** Computes an agent when it is told to. */
function newWork() {
  const started: number[] = [];
  const open = new Map<number, PromiseWithResolvers<string>>();
  return {
    started,
    finish: (agent: number) => open.get(agent)?.resolve(`agent ${agent}`),
    fail: (agent: number) => open.get(agent)?.reject(new Error("broken")),
    options: (key: string) => ({
      key,
      listAgents: async () => AGENTS,
      compute: (agent: number) => {
        started.push(agent);
        const computed = Promise.withResolvers<string>();
        open.set(agent, computed);
        return computed.promise;
      },
    }),
  };
}

it("computes one agent after another, once for all requests that ask for the same", async () => {
  const computations = newComputations();
  const work = newWork();
  const [one, other] = [computations.run(ONE, work.options("a")), computations.run(ONE, work.options("a"))];
  for (const agent of AGENTS) {
    await expect.poll(() => work.started).toEqual(AGENTS.slice(0, agent));
    work.finish(agent);
  }
  expect(await one).toEqual({
    done: new Map(AGENTS.map((agent) => [agent, `agent ${agent}`])),
    agentsLeft: 0,
  });
  expect(await other).toEqual(await one);
});

it("refuses something else of the workspace meanwhile, and nothing of another workspace", async () => {
  const computations = newComputations();
  const work = newWork();
  const running = computations.run(ONE, work.options("a"));
  await expect(computations.run(ONE, work.options("b"))).rejects.toMatchObject({
    status: 429,
    message: "Other findings are being computed. Try again in 5 s.",
    headers: { "retry-after": "5" },
  });
  const elsewhere = newWork();
  const others = computations.run(OTHER, elsewhere.options("b"));
  for (const agent of AGENTS) {
    await expect.poll(() => [work.started.length, elsewhere.started.length]).toEqual([agent, agent]);
    work.finish(agent);
    elsewhere.finish(agent);
  }
  expect([(await running).agentsLeft, (await others).agentsLeft]).toEqual([0, 0]);
});

it("answers with what is done when its time is over, and continues with the next request", async () => {
  // Long enough for the first agent to begin, also if the machine runs something else just then.
  const budgetMs = 250;
  const computations = newComputations(budgetMs);
  const work = newWork();
  const first = await computations.run(ONE, work.options("a"));
  expect(first).toEqual({ done: new Map(), agentsLeft: 3 });
  await expect.poll(() => work.started).toEqual([1]);
  // A timer may fire up to a millisecond before its time. The computation asks the clock.
  await sleep(budgetMs);
  work.finish(1);
  await expect.poll(() => computations.isBusy(ONE, "b")).toBe(false);
  const second = computations.run(ONE, work.options("a"));
  await expect.poll(() => work.started).toEqual([1, 2]);
  work.finish(2);
  expect((await second).done.get(1)).toBe("agent 1");
});

it("computes again what was delivered, and what failed", async () => {
  const computations = newComputations();
  for (const round of [1, 2]) {
    const work = newWork();
    const running = computations.run(ONE, work.options("a"));
    for (const agent of AGENTS) {
      await expect.poll(() => work.started).toContain(agent);
      work.finish(agent);
    }
    expect((await running).done.size, `round ${round}`).toBe(3);
  }
  const broken = newWork();
  const failed = computations.run(ONE, broken.options("a"));
  await expect.poll(() => broken.started).toEqual([1]);
  broken.fail(1);
  await expect(failed).rejects.toThrow("broken");
  expect(computations.isBusy(ONE, "b")).toBe(false);
});

it("reports what fails after its request has ended", async () => {
  const computations = newComputations(1);
  const work = newWork();
  failures.length = 0;
  expect((await computations.run(ONE, work.options("a"))).agentsLeft).toBeGreaterThan(0);
  await expect.poll(() => work.started).toEqual([1]);
  work.fail(1);
  await expect.poll(() => failures.map(String)).toEqual(["Error: broken"]);
});
