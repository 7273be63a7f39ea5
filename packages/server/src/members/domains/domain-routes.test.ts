import { randomUUID } from "node:crypto";
import { verifyAddress } from "@whytrace/testing/samples/add-member.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { TestNameServer } from "@whytrace/testing/server/name-server.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { recheckDomains } from "./recheck-domains.ts";

const names = new TestNameServer();
const dnsServers = [await names.start()];
const { client, db } = await boot({ DNS_SERVERS: dnsServers.join(",") });

const newDomain = () => `${randomUUID()}.example`;
const newPerson = async (domain: string): Promise<SignedInUser> => {
  const user = await client.newUser();
  await sql`update users set email = ${`${randomUUID()}@${domain}`} where id = ${user.userId}`.execute(db);
  return user;
};
const joinable = async (user: SignedInUser) => (await user.get("/api/account/joinable")).json.workspaces;
const add = async (owner: SignedInUser, domain: string, role = "viewer") => {
  await verifyAddress(db, owner);
  return expectStatus(await owner.post("/api/workspace/domains", { domain, role }), 201).json;
};
const check = (owner: SignedInUser, id: string) => owner.post(`/api/workspace/domains/${id}/check`, {});
const recheck = async () => {
  await sql`update workspace_domains set checked_at = now() - interval '8 days'`.execute(db);
  await recheckDomains({ db, dnsServers, publicUrl: client.url, stopping: new AbortController().signal });
};

it("lets people with a verified address of exactly the domain join, when the record was found", async () => {
  const owner = await client.newUser();
  const domain = newDomain();
  const added = await add(owner, domain.toUpperCase(), "member");
  expect(added).toMatchObject({ domain, role: "member", verifiedAt: null });
  expect(added.record).toMatchObject({ name: `_whytrace.${domain}`, type: "TXT" });
  const colleague = await newPerson(domain);
  await verifyAddress(db, colleague);
  const missing = await check(owner, added.id);
  expect([missing.status, missing.json.error]).toEqual([409, "The record was not found yet."]);
  names.records.set(added.record.name, "whytrace-workspace=another");
  expect((await check(owner, added.id)).status).toBe(409);
  expect(await joinable(colleague)).toEqual([]);
  expect((await colleague.post(`/api/account/joinable/${owner.workspaceId}`, {})).status).toBe(404);
  names.records.set(added.record.name, added.record.value);
  expect(expectStatus(await check(owner, added.id), 200).json.verifiedAt).not.toBeNull();

  const [unverified, below] = [await newPerson(domain), await newPerson(`sub.${domain}`)];
  await verifyAddress(db, below);
  for (const stranger of [unverified, below]) {
    expect(await joinable(stranger)).toEqual([]);
    const refused = await stranger.post(`/api/account/joinable/${owner.workspaceId}`, {});
    expect([refused.status, refused.json.error]).toEqual([404, "Workspace not found"]);
  }
  expect(await joinable(colleague)).toEqual([
    { id: owner.workspaceId, name: "Ada's workspace", role: "member" },
  ]);
  const joined = expectStatus(await colleague.post(`/api/account/joinable/${owner.workspaceId}`, {}), 200);
  expect(joined.json.workspace).toMatchObject({ id: owner.workspaceId, role: "member" });
  expect(await joinable(colleague)).toEqual([]);
  const { events } = (await owner.get("/api/audit?action=member.joined")).json;
  expect(events).toMatchObject([
    { actor: { id: colleague.userId }, details: { by: "domain", role: "member" } },
  ]);
  expectStatus(await owner.delete(`/api/workspace/domains/${added.id}`), 200);
  expect((await owner.get("/api/workspace/domains")).json).toEqual({ domains: [] });
  expect((await owner.get("/api/members")).json.members).toHaveLength(2);
});

it("takes a domain twice in two workspaces, once in one, and no other text", async () => {
  const [one, two] = [await client.newUser(), await client.newUser()];
  const domain = newDomain();
  await add(one, domain);
  await add(two, domain);
  const again = await one.post("/api/workspace/domains", { domain, role: "viewer" });
  expect([again.status, again.json.error]).toEqual([409, `${domain} is added already.`]);
  for (const text of ["localhost", "127.0.0.1", "a b.example", "-a.example", "example.com.", "a@b.example"])
    expect((await one.post("/api/workspace/domains", { domain: text, role: "viewer" })).status).toBe(400);
  expect((await one.post("/api/workspace/domains", { domain: newDomain(), role: "admin" })).status).toBe(400);
});

it("needs a session that has just been confirmed", async () => {
  const owner = await client.newUser();
  const { id } = await add(owner, newDomain());
  await sql`update sessions set confirmed_at = null where user_id = ${owner.userId}`.execute(db);
  for (const response of [
    await owner.post("/api/workspace/domains", { domain: newDomain(), role: "viewer" }),
    await check(owner, id),
    await owner.delete(`/api/workspace/domains/${id}`),
  ])
    expect([response.status, response.json.error]).toEqual([403, "Confirm that it is you."]);
});

it("ends a domain whose record was missing three times, and tells the owners", async () => {
  const owner = await client.newUser();
  await verifyAddress(db, owner);
  const domain = newDomain();
  const colleague = await newPerson(domain);
  await verifyAddress(db, colleague);
  const { id, record } = await add(owner, domain);
  names.records.set(record.name, record.value);
  expectStatus(await check(owner, id), 200);
  names.records.delete(record.name);
  await recheck();
  await recheck();
  // A record that is there again starts the count anew.
  names.records.set(record.name, record.value);
  await recheck();
  names.records.delete(record.name);
  await recheck();
  await recheck();
  expect(await joinable(colleague)).toHaveLength(1);
  await recheck();
  expect(await joinable(colleague)).toEqual([]);
  const { rows } = await sql<{ subject: string }>`
    select subject from mail_outbox where recipient = ${owner.email}`.execute(db);
  expect(rows.map(({ subject }) => subject)).toContain(
    `Nobody can join your workspace by ${domain} any more`,
  );
});
