import { addMember, verifyAddress } from "@whytrace/testing/samples/add-member.ts";
import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus, PASSWORD, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { recordEvent, SYSTEM } from "../audit/record-event.ts";
import { sweepEvents } from "../audit/sweep-events.ts";
import { transaction } from "../db/transaction.ts";

const { client, db } = await boot();

const actionsOf = async (user: SignedInUser, prefix = "") =>
  (await user.get(`${prefix}/api/audit?limit=100`)).json.events.map(
    ({ action }: { action: string }) => action,
  );

it("names each act once, newest first and without gaps", async () => {
  const owner = await newSender(client, db);
  await verifyAddress(db, owner);
  const sent = trace();
  await owner.send([sent]);
  const share = expectStatus(await owner.post(`/api/traces/${sent.id}/shares`, {}), 201).json;
  await owner.delete(`/api/shares/${share.id}`);
  await owner.put("/api/prices", { model: "our-*", inputUsd: 1, outputUsd: 2 });
  const view = expectStatus(await owner.post("/api/views", { name: "v", query: "tags=a" }), 201).json;
  await owner.delete(`/api/views/${view.id}`);
  await owner.put("/api/workspace/retention", { days: 30 });
  await owner.patch("/api/workspace", { name: "Acme" });
  const invited = expectStatus(await owner.post("/api/invitations", { email: "a@example.test" }), 201).json;
  await owner.delete(`/api/invitations/${invited.id}`);
  await owner.get("/api/export/traces");
  expectStatus(await owner.delete(`/api/traces/${sent.id}`), 200);
  expect(await actionsOf(owner)).toEqual([
    "trace.deleted",
    "traces.exported",
    "invitation.revoked",
    "invitation.created",
    "workspace.renamed",
    "workspace.retention-changed",
    "view.deleted",
    "price.changed",
    "link.revoked",
    "link.created",
    "key.created",
    "workspace.created",
  ]);
  const { events } = (await owner.get("/api/audit?action=workspace.renamed")).json;
  expect(events).toMatchObject([
    {
      actor: { kind: "user", id: owner.userId, name: owner.email },
      details: { from: "Ada's workspace", to: "Acme" },
    },
  ]);
  const { nextCursor } = (await owner.get("/api/audit?limit=5")).json;
  expect((await owner.get(`/api/audit?limit=100&cursor=${nextCursor}`)).json.events).toHaveLength(7);
});

it("keeps nothing of an act that was rolled back", async () => {
  const owner = await client.newUser();
  const before = await actionsOf(owner);
  const failing = transaction(db, async (trx) => {
    await recordEvent(trx, owner.workspaceId, SYSTEM, { action: "plan.changed" });
    throw new Error("the act fails");
  });
  await expect(failing).rejects.toThrow("the act fails");
  expect(await actionsOf(owner)).toEqual(before);
  await recordEvent(db, owner.workspaceId, SYSTEM, { action: "plan.changed" });
  const { events } = (await owner.get("/api/audit")).json;
  expect(events.map(({ position }: { position: number }) => position)).toEqual([2, 1]);
});

it("is changed by nobody but the sweep of old events, and goes with its workspace", async () => {
  const owner = await client.newUser();
  const { workspaceId } = owner;
  for (const statement of [
    sql`update audit_events set action = 'forged' where workspace_id = ${workspaceId}`,
    sql`delete from audit_events where workspace_id = ${workspaceId}`,
    sql`truncate audit_events`,
  ])
    await expect(statement.execute(db)).rejects.toThrow("audit events are never changed");
  await transaction(db, async (trx) => {
    await sql`select set_config('whytrace.audit_sweep', 'on', true)`.execute(trx);
    await sql`delete from audit_events where workspace_id = ${workspaceId}`.execute(trx);
    await sql`
      insert into audit_events (workspace_id, position, at, action, actor, details)
      values (${workspaceId}, 1, now() - interval '31 days', 'workspace.created', '{}', '{}')`.execute(trx);
  });
  await sweepEvents(db, 30);
  expect(await actionsOf(owner)).toEqual([]);
  expectStatus(await owner.delete("/api/account", { password: PASSWORD }), 200);
  const { rows } = await sql`select from audit_positions where workspace_id = ${workspaceId}`.execute(db);
  expect(rows).toEqual([]);
});

it("says that a member signed in, and from where only to the member", async () => {
  const [owner, member] = [await client.newUser(), await client.newUser()];
  const prefix = await addMember(db, owner, member, "admin");
  const again = await client.signIn(member.email);
  const signIn = async (reader: SignedInUser) =>
    (await reader.get(`${prefix}/api/audit?action=sign-in.succeeded`)).json.events[0];
  expect(await signIn(owner)).toMatchObject({ details: { method: "password" }, ip: null, userAgent: null });
  expect((await signIn(again)).ip).toMatch(/127\.0\.0\.1|::1/);
});
