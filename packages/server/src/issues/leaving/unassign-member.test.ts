import { addMember, verifyAddress } from "@whytrace/testing/samples/add-member.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus, PASSWORD, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { unassignLeavers } from "./unassign-leavers.ts";

const { client, db } = await boot({}, { pausesMs: { issues: 50 } });

/** Two issues, of which the second is assigned to another member. */
async function newTeam(): Promise<{ owner: Sender; user: SignedInUser; prefix: string }> {
  const owner = await newSender(client, db);
  const user = await client.newUser();
  await verifyAddress(db, owner);
  const prefix = await addMember(db, owner, user, "member");
  const startedAt = new Date(Date.now() - 60_000).toISOString();
  const failed = (statusMessage: string) =>
    trace({ status: "ERROR", startedAt, spans: [span({ status: "ERROR", statusMessage })] });
  expectStatus(await owner.send([failed("policy outdated"), failed("out of memory")]), 200);
  await vi.waitFor(async () => expect((await owner.get("/api/issues")).json.total).toBe(2), {
    timeout: 30_000,
    interval: 50,
  });
  expectStatus(await owner.patch("/api/issues/2", { assigneeId: user.userId }), 200);
  expect((await owner.get("/api/issues?assignee=none")).json.total).toBe(1);
  return { owner, user, prefix };
}

/** As the leaving of a member, in a server that ends before it takes the member's issues. */
const endMembership = ({ workspaceId }: Sender, { userId }: SignedInUser) =>
  sql`delete from memberships where workspace_id = ${workspaceId} and user_id = ${userId}`.execute(db);

async function isUnassigned(owner: Sender, by: string | null) {
  expect((await owner.get("/api/issues?assignee=none")).json.total).toBe(2);
  expect((await owner.get("/api/issues/2")).json).toMatchObject({ assignee: null, state: "ongoing" });
  const { timeline } = (await owner.get("/api/issues/2/timeline")).json;
  expect(timeline[0]).toMatchObject({
    kind: "assigned",
    by: by && { id: by },
    details: { assigneeId: null },
  });
}

it("a member who is removed is unassigned, and is not assigned again by joining again", async () => {
  const { owner, user } = await newTeam();
  expectStatus(await owner.delete(`/api/members/${user.userId}`), 200);
  await isUnassigned(owner, owner.userId);
  await addMember(db, owner, user, "member");
  expect((await owner.get("/api/issues/2")).json.assignee).toBeNull();
  expect((await owner.get("/api/issues/1/timeline")).json.timeline).toHaveLength(1);
});

it("a member who leaves is unassigned", async () => {
  const { owner, user, prefix } = await newTeam();
  expectStatus(await user.delete(`${prefix}/api/members/${user.userId}`), 200);
  await isUnassigned(owner, user.userId);
});

it("a member who deletes their account is unassigned", async () => {
  const { owner, user } = await newTeam();
  expectStatus(await user.request("DELETE", "/api/account", { body: { password: PASSWORD } }), 200);
  await isUnassigned(owner, user.userId);
});

it("a member who left is unassigned by a worker if the server ended in between, and nobody else is", async () => {
  const { owner, user } = await newTeam();
  expectStatus(await owner.patch("/api/issues/1", { assigneeId: owner.userId }), 200);
  await endMembership(owner, user);
  await unassignLeavers(db);
  expect((await owner.get("/api/issues?assignee=me")).json.total).toBe(1);
  expectStatus(await owner.patch("/api/issues/1", { assigneeId: null }), 200);
  await isUnassigned(owner, null);
});

it("a member who leaves while an issue is assigned to them is not assigned", async () => {
  const { owner, user } = await newTeam();
  const waiting = sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%issue_cursors%'`;
  const sent = await db.transaction(async (trx) => {
    await sql`select from issue_cursors where workspace_id = ${owner.workspaceId} for update`.execute(trx);
    const assigning = owner.patch("/api/issues/1", { assigneeId: user.userId });
    await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1);
    await endMembership(owner, user);
    return { assigning };
  });
  const { status, json } = await sent.assigning;
  expect([status, json.error]).toEqual([400, "assigneeId is not a member of this workspace"]);
  expect((await owner.get("/api/issues/1/timeline")).json.timeline).toHaveLength(1);
});
