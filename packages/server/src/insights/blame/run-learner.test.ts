import { worldTraces } from "@whytrace/lab/worlds/world-traces.ts";
import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { readConfig } from "../../config.ts";
import { Connections } from "../../db/connections.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { slotConnections } from "../findings/stored/findings-connections.ts";
import { parseDayRange } from "../insights-range.ts";
import { readBlamedRow } from "./read-blamed-row.ts";
import { RunLearner } from "./run-learner.ts";

const { client, db, databaseUrl } = await boot();
const connections = new Connections(databaseUrl, readConfig({ DATABASE_URL: databaseUrl }).connections);
afterAll(() => connections.end());
const learner = new RunLearner(slotConnections(connections.reads));

const MINUTE_MS = 60_000;
const RUNS = 60;

async function play(name = "worker", user?: Sender) {
  const owner = user ?? (await newSender(client, db));
  const startedAtMs = Date.now() - (RUNS + 60) * MINUTE_MS;
  const drawn = worldTraces({ world: "near culprit", name, runs: RUNS, startedAtMs, stepMs: MINUTE_MS });
  expectStatus(await owner.send(drawn.traces), 200);
  return { ...drawn, user: owner };
}

async function learn({ workspaceId }: Sender, traceId: string, lens: "failed" | "error" = "failed") {
  const written = (await readBlamedRow(db, workspaceId, traceId))?.written ?? "";
  const window = { agentHash: agentHash("worker"), range: parseDayRange({}) };
  return learner.learn(workspaceId, { ...window, lens, run: { id: traceId, written } });
}
type Played = Awaited<ReturnType<typeof play>>;
const idOf = ({ traces }: Played, index: number) => traces[index]?.id ?? "";

it("learns once for all runs of an agent, and for each lens and workspace by itself", async () => {
  const one = await play();
  const learnt = await learn(one.user, idOf(one, 0));
  expect(learnt.traceIds).toEqual(one.traces.map(({ id }) => id));
  expect(await learn(one.user, idOf(one, 1))).toBe(learnt);
  expect(await learn(one.user, idOf(one, 1), "error")).not.toBe(learnt);
  const other = await play();
  const others = await learn(other.user, idOf(other, 0));
  expect(others.traceIds).toEqual(other.traces.map(({ id }) => id));
  // Runs of another agent change nothing.
  await play("somebody else", one.user);
  expect(await learn(one.user, idOf(one, 0))).toBe(learnt);
});

it("shares what is learnt between requests at the same time", async () => {
  const played = await play();
  const [first, ...others] = await Promise.all(
    [0, 1, 2, 3].map((index) => learn(played.user, idOf(played, index))),
  );
  for (const one of others) expect(one).toBe(first);
});

it("learns again after a new run, a run that was sent again, a deletion, and other situation keys", async () => {
  const played = await play();
  const { user, traces } = played;
  const id = idOf(played, 5);
  let before = await learn(user, id);
  const learnAgain = async () => {
    const learnt = await learn(user, id);
    expect(learnt).not.toBe(before);
    expect(await learn(user, id)).toBe(learnt);
    before = learnt;
    return learnt;
  };
  const [first] = traces;
  expectStatus(await user.send([{ ...first, id: "another run", startedAt: new Date().toISOString() }]), 200);
  expect((await learnAgain()).traceIds).toHaveLength(RUNS + 1);
  expectStatus(await user.send([{ ...first, id: "another run", status: "ERROR" }]), 200);
  await learnAgain();
  expectStatus(await user.request("DELETE", "/api/traces/another%20run"), 200);
  expect((await learnAgain()).traceIds).toEqual(traces.map((one) => one.id));
  expectStatus(await user.put("/api/insights/situation-keys?agent=worker", { keys: ["case.kind"] }), 200);
  await learnAgain();
});

it("counts a run that is still open, or that is older than the range, only when it is asked for", async () => {
  const played = await play();
  const { user, traces } = played;
  const [first] = traces;
  const old = new Date(Date.now() - 40 * 24 * 60 * MINUTE_MS).toISOString();
  expectStatus(
    await user.send([
      { ...first, id: "open", status: "RUNNING", startedAt: new Date().toISOString() },
      { ...first, id: "old", startedAt: old },
    ]),
    200,
  );
  expect((await learn(user, idOf(played, 0))).traceIds).toHaveLength(RUNS);
  const [open, older] = [await learn(user, "open"), await learn(user, "old")];
  expect([open.traceIds.length, open.traceIds.at(-1)]).toEqual([RUNS + 1, "open"]);
  expect([older.traceIds.length, older.traceIds[0]]).toEqual([RUNS + 1, "old"]);
  expect(await learn(user, "old")).toBe(older);
  expectStatus(await user.send([{ ...first, id: "old", startedAt: old, status: "ERROR" }]), 200);
  expect(await learn(user, "old")).not.toBe(older);
  // An hour later the open run is abandoned, and is one of those that are compared.
  await sql`
    update traces set created_at = now() - interval '2 hours'
    where workspace_id = ${user.workspaceId} and id = 'open'`.execute(db);
  await sql`
    update spans set started_at = now() - interval '2 hours'
    where workspace_id = ${user.workspaceId} and trace_id = 'open'`.execute(db);
  expect((await learn(user, idOf(played, 0))).traceIds).toHaveLength(RUNS + 1);
});
