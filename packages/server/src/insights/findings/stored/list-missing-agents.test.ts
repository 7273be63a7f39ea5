import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { agentHash } from "../../../decision-facts/agent-hash.ts";
import { windowRange } from "./finding-windows.ts";
import { listMissingAgents } from "./list-missing-agents.ts";

const { client, db } = await boot();

const DAY_MS = 24 * 3_600_000;
const runOf = (name: string, { daysAgo = 1, decides = true } = {}) => {
  const startedAt = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  return trace({ name, startedAt, decisionPoints: decides ? [decision({ timestamp: startedAt })] : [] });
};
const read = async (user: Sender, query = "") =>
  expectStatus(await user.get(`/api/insights/findings${query}`), 200).json;

it("lists agents that decided something in the range and have no list, of the workspace alone", async () => {
  const [user, other] = [await newSender(client, db), await newSender(client, db)];
  await user.send([runOf("a"), runOf("b"), runOf("c"), runOf("old", { daysAgo: 60 })]);
  await user.send([runOf("undecided", { decides: false })]);
  await other.send([runOf("d")]);
  const missing = await listMissingAgents(db, user.workspaceId, windowRange(30), [agentHash("b")]);
  expect(missing.sort()).toEqual([agentHash("a"), agentHash("c")].sort());
  expect(await listMissingAgents(db, other.workspaceId, windowRange(30), [agentHash("d")])).toEqual([]);
  const stranger = await newSender(client, db);
  expect(await listMissingAgents(db, stranger.workspaceId, windowRange(30), [])).toEqual([]);
});

it("completes the list of all agents after one of them was read alone", async () => {
  const user = await newSender(client, db);
  await user.send([runOf("a"), runOf("b"), runOf("b")]);
  expect(await read(user, "?agent=a")).toMatchObject({ runs: 1, progress: null });
  expect(await read(user)).toMatchObject({ runs: 3, progress: null });
});

it("computes lists of another version again, and those whose situation keys changed", async () => {
  const user = await newSender(client, db);
  await user.send([runOf("a"), runOf("b")]);
  expect(await read(user)).toMatchObject({ runs: 2, progress: null });
  await sql`
    update why_findings set body = jsonb_set(body, '{version}', '0')
    where workspace_id = ${user.workspaceId} and agent_hash = ${agentHash("a")}`.execute(db);
  expect(await read(user)).toMatchObject({ runs: 2, progress: null });
  expectStatus(await user.put("/api/insights/situation-keys?agent=b", { keys: ["tier"] }), 200);
  await read(user);
  const { rows } = await sql`
    select from why_findings where workspace_id = ${user.workspaceId} and counted < 0 and lens = 0`.execute(
    db,
  );
  expect(rows).toEqual([]);
});
