import { type DecisionMap, type MapEdge, type MapNode, type MapTimes, OTHER_STEPS } from "@whytrace/contract";
import type { MapPath } from "@whytrace/contract/schemas/insights/decision-map";
import { decision, newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { expect, it } from "vitest";

const { client, db } = await boot();

const RANGE = "from=2026-03-01T00:00:00Z&to=2026-03-08T00:00:00Z";
const OPTIONS = ["a", "b", "c"];

const run = (path: string, status = "COMPLETED", overrides = {}) =>
  trace({
    name: "walker",
    status,
    startedAt: "2026-03-02T10:00:00.000Z",
    decisionPoints: [...path].map((chosen, index) =>
      decision({
        chosen,
        alternatives: OPTIONS.filter((option) => option !== chosen),
        timestamp: `2026-03-02T10:00:0${index}.500Z`,
      }),
    ),
    ...overrides,
  });

const at = (ms: number) => new Date(Date.parse("2026-03-02T10:00:00.000Z") + ms).toISOString();
const later = (one: ReturnType<typeof decision>, index: number) => ({
  ...one,
  id: `later ${index}`,
  timestamp: at(1_000 + index),
});

/** The paths into a choice, and those out of it with the runs that ended there, add up to it. */
function expectToAddUp({ nodes, edges }: DecisionMap) {
  const sum = (some: MapTimes[], column: keyof MapTimes) =>
    some.reduce((total, one) => total + one[column], 0);
  for (const { step, name, times, failedTimes, ended } of nodes) {
    const [into, out] = [edges.filter(({ to }) => to === step), edges.filter(({ from }) => from === step)];
    expect(sum(out, "times") + ended.fine + ended.failed, `out of ${name}`).toBe(times);
    expect(sum(out, "failedTimes") + ended.failed, `failed, out of ${name}`).toBe(failedTimes);
    if (name === "Start") continue;
    expect([sum(into, "times"), sum(into, "failedTimes")], `into ${name}`).toEqual([times, failedTimes]);
  }
}

it("shows how often runs took each step and which one came next, and where they ended", async () => {
  const user = await newSender(client, db);
  await user.send([
    run("abc"),
    run("ab", "ERROR"),
    // Goes back and forth: it is one run, but comes to each node and takes the first edge twice.
    run("abab"),
    run("a", "RUNNING"),
    run("c", "COMPLETED", { name: "other agent" }),
  ]);
  const { json } = expectStatus(await user.get(`/api/insights/map?${RANGE}&agent=walker`), 200);
  const names = new Map(json.nodes.map(({ step, name }: MapNode) => [step, name]));
  const nodes = json.nodes.map(({ name, times, failedTimes, runs, failedRuns, ended }: MapNode) => [
    name,
    times,
    failedTimes,
    runs,
    failedRuns,
    ended.fine,
    ended.failed,
  ]);
  expect(new Set(nodes)).toEqual(
    new Set([
      ["Start", 3, 1, 3, 1, 0, 0],
      ["a", 4, 1, 3, 1, 0, 0],
      ["b", 4, 1, 3, 1, 1, 1],
      ["c", 1, 0, 1, 0, 1, 0],
    ]),
  );
  const edges = json.edges.map(({ from, to, times, failedTimes, runs, failedRuns }: MapEdge) => [
    names.get(from),
    names.get(to),
    times,
    failedTimes,
    runs,
    failedRuns,
  ]);
  expect(new Set(edges)).toEqual(
    new Set([
      ["Start", "a", 3, 1, 3, 1],
      ["a", "b", 4, 1, 3, 1],
      ["b", "a", 1, 0, 1, 0],
      ["b", "c", 1, 0, 1, 0],
    ]),
  );
  expect(json).toMatchObject({ agent: "walker", runs: 3, failedRuns: 1, isTruncated: false });
  expectToAddUp(json);
});

it("takes rare choices together if there are very many, so that each choice stays the sum of its paths", async () => {
  const user = await newSender(client, db);
  const letters = [..."abcdefghijklmnopqrs"];
  const names = letters.flatMap((first) => letters.map((second) => first + second));
  const rare = names.map((chosen, index) => decision({ chosen, alternatives: [], timestamp: at(index) }));
  await user.send([
    run("a", "ERROR", { decisionPoints: rare }),
    run("a", "COMPLETED", { decisionPoints: [...rare.slice(0, 9), ...rare.slice(0, 9)].map(later) }),
    ...Array.from({ length: 3 }, () => run("abcab")),
  ]);
  const { json } = expectStatus(await user.get(`/api/insights/map?${RANGE}`), 200);
  expect(json.nodes).toHaveLength(302);
  expect(json.nodes.find(({ step }: MapNode) => step === OTHER_STEPS)).toMatchObject({
    name: "Other choices",
    times: names.length - 297,
  });
  expect(json).toMatchObject({ runs: 5, failedRuns: 1 });
  expectToAddUp(json);
});

it("shows the runs of all agents together by default, and none of another user", async () => {
  const [user, other] = [await newSender(client, db), await newSender(client, db)];
  await user.send([run("a"), run("a", "COMPLETED", { name: "other agent" })]);
  const { json } = await user.get(`/api/insights/map?${RANGE}`);
  expect(json.nodes.map(({ name, runs }: MapNode) => [name, runs])).toEqual([
    ["Start", 2],
    ["a", 2],
  ]);
  expect((await other.get(`/api/insights/map?${RANGE}`)).json.nodes).toEqual([]);
});

it("counts the traces of a choice or a path by release, and how long it took from one choice to the next", async () => {
  const user = await newSender(client, db);
  const newer = { startedAt: "2026-03-03T10:00:00.000Z" };
  await user.send([
    run("ab", "COMPLETED", { tags: ["v1.0.0"] }),
    run("abab", "ERROR", { tags: ["v1.0.0"] }),
    run("cab", "ERROR", { tags: ["v2.0.0"], ...newer }),
    run("ab", "RUNNING", { tags: ["v2.0.0"], ...newer }),
    run("cb", "COMPLETED", newer),
    run("ab", "COMPLETED", { name: "other agent" }),
    run("ab", "COMPLETED", { startedAt: "2026-01-01T10:00:00.000Z" }),
  ]);
  const map = (await user.get(`/api/insights/map?${RANGE}&agent=walker`)).json;
  const stepOf = (name: string) => map.nodes.find((node: MapNode) => node.name === name).step;
  const path = async (query: string, by = user) =>
    expectStatus(await by.get(`/api/insights/map/path?${RANGE}&agent=walker&${query}`), 200).json;
  const counts = ({ releases }: MapPath) =>
    releases.map(({ name, runs, failedRuns }) => [name, runs, failedRuns]);

  const taken = await path(`step=${stepOf("b")}&after=${stepOf("a")}`);
  expect(counts(taken)).toEqual([
    ["v2.0.0", 1, 1],
    ["v1.0.0", 2, 1],
  ]);
  expect(taken.betweenMs).toBe(1_000);
  expect(taken.releases[1]).toMatchObject({ low: expect.closeTo(0.095, 3), high: expect.closeTo(0.905, 3) });
  const chosen = await path(`step=${stepOf("b")}`);
  expect(chosen.betweenMs).toBeNull();
  expect(counts(chosen)).toEqual(
    expect.arrayContaining([
      ["v2.0.0", 1, 1],
      [null, 1, 0],
      ["v1.0.0", 2, 1],
    ]),
  );
  const first = await path(`step=${stepOf("a")}&after=0`);
  expect([counts(first), first.betweenMs]).toEqual([[["v1.0.0", 2, 1]], null]);

  const other = await newSender(client, db);
  expect(await path(`step=${stepOf("b")}&after=${stepOf("a")}`, other)).toMatchObject({
    releases: [],
    betweenMs: null,
  });
  for (const query of ["", "step=0", "step=00000001&after=x"])
    expectStatus(await user.get(`/api/insights/map/path?${query}`), 400);
});
