import { overtake } from "@whytrace/testing/postgres/overtake.ts";
import { addMember, prefixOf, verifyAddress } from "@whytrace/testing/samples/add-member.ts";
import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

const { client, db } = await boot({ WORKSPACES_PER_USER: "2" }, { memberships: 1 });

it("a person creates workspaces up to the limit, after the address is verified", async () => {
  const user = await client.newUser();
  const create = () => user.post("/api/workspaces", { name: "Second" });
  expect(expectStatus(await create(), 403).json.error).toBe("Verify your email address first.");
  await verifyAddress(db, user);
  const { json } = expectStatus(await create(), 201);
  expect(json).toMatchObject({ name: "Second", role: "owner", blockedBy: null });
  expect(json.id).not.toBe(user.userId);
  expect(expectStatus(await create(), 409).json.error).toBe("You own 2 workspaces. Delete one first.");
  const { workspaces } = (await user.get("/api/workspaces")).json;
  expect(workspaces.map(({ name }: { name: string }) => name)).toEqual(["Ada's workspace", "Second"]);
  expect((await user.get("/api/auth/session")).json.workspaces).toEqual(workspaces);
});

it("traces stay in their workspace, and a trace names it to members alone", async () => {
  const [owner, other] = [await newSender(client, db), await client.newUser()];
  const sent = trace();
  expectStatus(await owner.send([sent]), 200);
  const path = `/api/traces/${sent.id}/workspace`;
  expectStatus(await other.get(path), 404);
  const prefix = await addMember(db, owner, other, "viewer");
  expect((await other.get(path)).json.workspace.id).toBe(owner.workspaceId);
  expect((await other.get(`${prefix}/api/traces`)).json.traces).toHaveLength(1);
  const own = await prefixOf(db, other);
  expect((await other.get(`${own}/api/traces`)).json.traces).toEqual([]);
  expectStatus(await other.get(`${own}/api/traces/${sent.id}`), 404);
});

it("a key is refused below the address of another workspace", async () => {
  const [owner, other] = [await client.newUser(), await client.newUser()];
  const { key } = expectStatus(await owner.post("/api/keys", { name: "read", scope: "read" }), 201).json;
  const read = (prefix: string) =>
    client.get(`${prefix}/api/traces`, { headers: { authorization: `Bearer ${key}` } });
  expectStatus(await read(await prefixOf(db, owner)), 200);
  const foreign = expectStatus(await read(await prefixOf(db, other)), 404);
  expect(foreign.text).toBe((await read("/w/zzzzzzzzzz")).text);
});

it("a page below the address of a workspace leads back to it after signing in", async () => {
  const owner = await client.newUser();
  const prefix = await prefixOf(db, owner);
  const { headers } = await client.get(`${prefix}/traces?status=ERROR`);
  expect(headers.get("location")).toBe(`/login?next=${encodeURIComponent(`${prefix}/traces?status=ERROR`)}`);
  expect((await owner.get(`${prefix}/settings`)).headers.get("location")).toBe(`${prefix}/settings/api-keys`);
});

it("nobody belongs to a workspace after leaving the last one, and is told so", async () => {
  const user = await client.newUser();
  await sql`delete from memberships where user_id = ${user.userId}`.execute(db);
  expect(expectStatus(await user.get("/api/traces"), 403).json.error).toBe(
    "You belong to no workspace. Create one, or ask for an invitation.",
  );
  expect((await user.get("/api/auth/session")).json.workspaces).toEqual([]);
});

it("an admin who is demoted while renaming the workspace does not rename it", async () => {
  const [owner, admin] = [await client.newUser(), await client.newUser()];
  const prefix = await addMember(db, owner, admin, "admin");
  const { name } = (await owner.get("/api/workspace")).json;
  const { status, json } = await overtake(db, owner.workspaceId, {
    request: () => admin.patch(`${prefix}/api/workspace`, { name: "Renamed" }),
    change: (trx) =>
      sql`
        update memberships set role = 'viewer'
        where workspace_id = ${owner.workspaceId} and user_id = ${admin.userId}`.execute(trx),
  });
  expect([status, json]).toEqual([
    403,
    { error: "This needs the role admin or owner. Your role is viewer." },
  ]);
  expect((await owner.get("/api/workspace")).json.name).toBe(name);
});
