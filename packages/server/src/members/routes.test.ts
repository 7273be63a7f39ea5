import { addMember, verifyAddress } from "@whytrace/testing/samples/add-member.ts";
import { insertPasskey } from "@whytrace/testing/samples/insert-factors.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

const { client, db } = await boot();
const ROUNDS = 8;

const token = (url: string) => new URL(url).searchParams.get("token");

async function newTeam(role: "owner" | "admin" | "member" | "viewer") {
  const [owner, user] = [await client.newUser(), await client.newUser()];
  await verifyAddress(db, owner);
  return { owner, user, prefix: await addMember(db, owner, user, role) };
}

it("of two owners who leave or demote each other at once, one stays an owner", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { owner, user, prefix } = await newTeam("owner");
    const act = (one: SignedInUser, other: SignedInUser) =>
      round % 2 === 0
        ? one.delete(`${prefix}/api/members/${one.userId}`)
        : one.patch(`${prefix}/api/members/${other.userId}`, { role: "viewer" });
    const answers = await Promise.all([act(owner, user), act(user, owner)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { rows } = await sql`
      select from memberships where workspace_id = ${owner.workspaceId} and role = 'owner'`.execute(db);
    expect(rows).toHaveLength(1);
  }
});

it("no key, link or invitation outlives the membership of who makes it at that moment", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { owner, user, prefix } = await newTeam("admin");
    await verifyAddress(db, user);
    const tries = Array.from({ length: 4 }, (_, n) =>
      n % 2 === 0
        ? user.post(`${prefix}/api/keys`, { name: "race", scope: "read" })
        : user.post(`${prefix}/api/invitations`, { email: `race-${n}@example.test` }),
    );
    expectStatus(await owner.delete(`${prefix}/api/members/${user.userId}?keys=all`), 200);
    for (const { status } of await Promise.all(tries)) expect([201, 404]).toContain(status);
    const { rows: keys } = await sql`
      select from api_keys where workspace_id = ${owner.workspaceId} and created_by = ${user.userId}`.execute(
      db,
    );
    const { rows: pending } = await sql`
      select from invitations where workspace_id = ${owner.workspaceId} and invited_by = ${user.userId}`.execute(
      db,
    );
    expect([keys, pending]).toEqual([[], []]);
  }
});

it("one invitation that 16 requests accept at once makes one membership", async () => {
  const { owner } = await newTeam("viewer");
  const guest = await client.newUser();
  await verifyAddress(db, guest);
  const { url } = expectStatus(
    await owner.post("/api/invitations", { email: guest.email, role: "viewer" }),
    201,
  ).json;
  const answers = await Promise.all(
    Array.from({ length: 16 }, () => guest.post("/api/invitations/accept", { token: token(url) })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await owner.get("/api/members")).json.members).toHaveLength(3);
});

it("a member who leaves keeps sending keys working, and is asked for nothing that is not a choice", async () => {
  const { owner, user, prefix } = await newTeam("member");
  for (const scope of ["send", "read"])
    expectStatus(await user.post(`${prefix}/api/keys`, { name: scope, scope }), 201);
  const leave = (query: string) => user.delete(`${prefix}/api/members/${user.userId}${query}`);
  expect(expectStatus(await leave("?keys=some"), 400).json.error).toBe(
    "Invalid keys. Must be one of: reading, all, none",
  );
  expect(expectStatus(await leave(""), 200).json).toEqual({ success: true, keysRevoked: 1 });
  const { keys } = (await owner.get("/api/keys")).json;
  expect(keys).toMatchObject([{ name: "send", createdBy: { id: user.userId, name: "Ada" } }]);
  expectStatus(await user.get(`${prefix}/api/members`), 404);
});

it("a person has ten keys of their own in a workspace, whatever others have", async () => {
  const { owner, user, prefix } = await newTeam("member");
  for (let n = 0; n < 10; n += 1) expectStatus(await user.post(`${prefix}/api/keys`, { name: `${n}` }), 201);
  expect(expectStatus(await user.post(`${prefix}/api/keys`, { name: "11" }), 409).json.error).toBe(
    "API key limit reached (10)",
  );
  expectStatus(await owner.post("/api/keys", { name: "own" }), 201);
});

it("says who has a second factor, to admins and owners alone; an app that was not confirmed is none", async () => {
  const { owner, user, prefix } = await newTeam("member");
  const factorsSeenBy = async (person: SignedInUser) =>
    (await person.get(`${prefix}/api/members`)).json.members.map(
      ({ hasSecondFactor }: { hasSecondFactor?: boolean }) => hasSecondFactor,
    );
  await sql`insert into totp_secrets (user_id, secret) values (${user.userId}, 's')`.execute(db);
  expect(await factorsSeenBy(owner)).toEqual([false, false]);
  await insertPasskey(db, owner.userId);
  expect(await factorsSeenBy(owner)).toEqual([true, false]);
  await sql`update totp_secrets set confirmed_at = now() where user_id = ${user.userId}`.execute(db);
  expect(await factorsSeenBy(owner)).toEqual([true, true]);
  expect(await factorsSeenBy(user)).toEqual([undefined, undefined]);
});
