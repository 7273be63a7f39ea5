import { parseBatch } from "@whytrace/contract";
import { isDistributed } from "@whytrace/testing/postgres/citus-cluster.ts";
import { prefixOf } from "@whytrace/testing/samples/add-member.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { findKeyOwner } from "../../api-keys/find-key-owner.ts";
import { revokeApiKey } from "../../api-keys/revoke-api-key.ts";
import { SYSTEM } from "../../audit/record-event.ts";
import { readUsage } from "../../billing/usage.ts";
import { Connections } from "../../db/connections.ts";
import { Live } from "../../live/live.ts";
import { Maskings } from "../../masking/maskings.ts";
import { findMemberSession } from "../../workspaces/member-session.ts";
import { readTotals } from "../counts/totals.ts";
import { currentMasking } from "../masking/current-masking.ts";
import { TraceStore } from "./store-traces.ts";

const { client, db, databaseUrl } = await boot();
// The metadata of a cluster without workers: the coordinator does everything, but the directory has its own connections.
if (!isDistributed)
  await sql`
    create table pg_dist_shard (shardid bigint, logicalrelid regclass);
    create table pg_dist_placement (shardid bigint, groupid integer);
    create table pg_dist_node (groupid integer, nodename text, nodeport integer, isactive boolean, hasmetadata boolean,
      metadatasynced boolean, noderole text)`.execute(db);
const connections = new Connections(databaseUrl, {
  account: 2,
  read: 1,
  readPerWorkspace: 1,
  readSecondsPerMinute: 60,
  write: 2,
  writePerWorkspace: 1,
  isSharded: true,
});
afterAll(() => connections.end());
const { account } = connections;
const maskings = new Maskings(
  account,
  { defaultLevel: "secrets", floor: "off", secret: undefined },
  currentMasking,
);
const store = new TraceStore({
  connections,
  publicUrl: "http://127.0.0.1",
  live: new Live(account),
  maskings,
});

async function ownerOf({ key }: Sender) {
  const owner = await findKeyOwner(account, key);
  if (!owner) throw new Error("The key is not known");
  return owner;
}

const run = (id?: string) =>
  trace({
    ...(id && { id }),
    sessionId: "s",
    status: "RUNNING",
    spans: [span()],
    decisionPoints: [decision()],
  });

it("counts the traces of workspaces that share transactions, new and replaced", async () => {
  const senders = [
    await newSender(client, db, "FREE"),
    await newSender(client, db),
    await newSender(client, db),
  ];
  const owners = await Promise.all(senders.map(ownerOf));
  const runs = owners.flatMap((owner) => [1, 2, 3, 4].map(() => ({ owner, sent: [run(), run()] })));
  const storeAll = () =>
    Promise.all(runs.map(({ owner, sent }) => store.store(owner, parseBatch({ traces: sent }), 1_000)));
  expect(await storeAll()).toEqual(runs.map(() => 2));
  expect(await storeAll()).toEqual(runs.map(() => 2));
  for (const [index, { workspaceId }] of owners.entries()) {
    expect(await readTotals(db, workspaceId)).toMatchObject({ RUNNING: 8, TOOL_SELECTION: 8 });
    expect((await readUsage(await account.of(workspaceId), workspaceId))?.sessionsUsed).toBe(8);
    expect((await senders[index]?.get("/api/billing"))?.json.sessionsUsed).toBe(8);
  }
});

it("finds the same owner and usage of a key as on one PostgreSQL", async () => {
  const { key } = await newSender(client, db, "FREE");
  const [apart, joined] = [await findKeyOwner(account, key), await findKeyOwner(db, key)];
  const seconds = { secondsToReset: expect.any(Number) };
  expect(apart).toEqual({ ...joined, usage: { ...joined?.usage, ...seconds } });
  expect(apart?.usage).toMatchObject({ tier: "FREE", sessionsUsed: 0 });
});

it("skips ids of another workspace, and refuses a revoked key", async () => {
  const sender = await newSender(client, db);
  const [alice, bob] = [await ownerOf(sender), await ownerOf(await newSender(client, db))];
  const sent = run();
  expect(await store.store(alice, parseBatch({ traces: [sent] }), 1_000)).toBe(1);
  expect(await store.store(bob, parseBatch({ traces: [sent] }), 1_000)).toBe(0);
  const session = await findMemberSession(
    db,
    sender.cookie?.split("=")[1] ?? "",
    (await prefixOf(db, sender)).slice("/w/".length),
  );
  const [membership] = session?.memberships ?? [];
  if (!session || !membership) throw new Error("no member");
  expect(await revokeApiKey(account, { ...session.session, ...membership }, alice.keyId, SYSTEM)).toBe(true);
  await expect(store.store(alice, parseBatch({ traces: [run()] }), 1_000)).rejects.toThrow("Invalid API key");
  expect(await readTotals(db, alice.workspaceId)).toMatchObject({ RUNNING: 1 });
});
