import type { MapEdge, MapNode } from "@whytrace/contract";
import { boot } from "@whytrace/testing/boot.ts";
import { expectStatus } from "@whytrace/testing/client.ts";
import { decision, newSender, trace } from "@whytrace/testing/sample-traces.ts";
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

it("shows how many runs took each step and which one came next, and where they ended", async () => {
  const user = await newSender(client, db);
  await user.send([
    run("abc"),
    run("ab", "ERROR"),
    // Goes back and forth: it counts once at each node and edge.
    run("abab"),
    run("a", "RUNNING"),
    run("c", "COMPLETED", { name: "other agent" }),
  ]);
  const { json } = expectStatus(await user.get(`/api/insights/map?${RANGE}&agent=walker`), 200);
  const names = new Map(json.nodes.map(({ step, name }: MapNode) => [step, name]));
  const nodes = json.nodes.map(({ name, runs, failedRuns, ended }: MapNode) => [
    name,
    runs,
    failedRuns,
    ended.fine,
    ended.failed,
  ]);
  expect(new Set(nodes)).toEqual(
    new Set([
      ["Start", 3, 1, 0, 0],
      ["a", 3, 1, 0, 0],
      ["b", 3, 1, 1, 1],
      ["c", 1, 0, 1, 0],
    ]),
  );
  const edges = json.edges.map(({ from, to, runs, failedRuns }: MapEdge) => [
    names.get(from),
    names.get(to),
    runs,
    failedRuns,
  ]);
  expect(new Set(edges)).toEqual(
    new Set([
      ["Start", "a", 3, 1],
      ["a", "b", 3, 1],
      ["b", "a", 1, 0],
      ["b", "c", 1, 0],
    ]),
  );
  expect(json).toMatchObject({ agent: "walker", runs: 4, failedRuns: 1, isTruncated: false });
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
