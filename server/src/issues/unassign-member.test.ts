import { addMember, verifyAddress } from "@whytrace/testing/samples/add-member.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus, PASSWORD, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { expect, it, vi } from "vitest";

const { client, db } = await boot();

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

async function isUnassigned(owner: Sender, by: string) {
  expect((await owner.get("/api/issues?assignee=none")).json.total).toBe(2);
  expect((await owner.get("/api/issues/2")).json).toMatchObject({ assignee: null, state: "ongoing" });
  const { timeline } = (await owner.get("/api/issues/2/timeline")).json;
  expect(timeline[0]).toMatchObject({ kind: "assigned", by: { id: by }, details: { assigneeId: null } });
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
