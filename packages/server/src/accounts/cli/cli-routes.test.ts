import { createHash, randomBytes } from "node:crypto";
import { addMember } from "@whytrace/testing/samples/add-member.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { Client, expectStatus, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

const { client, db } = await boot();

const newVerifier = () => {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
};
const codeOf = async (user: SignedInUser, challenge: string, prefix = "") =>
  expectStatus(await user.post(`${prefix}/api/cli-codes`, { challenge, name: "laptop" }), 201).json.code;
const exchange = (code: string, verifier: string) => client.post("/api/auth/cli", { code, verifier });
const INVALID = { error: "Invalid or expired code" };

it("gives a session with the methods and the age of the browser's, once, and only with the verifier", async () => {
  const user = await client.newUser();
  await sql`
    update sessions set methods = '{password,totp}', created_at = now() - interval '5 hours', confirmed_at = null
    where user_id = ${user.userId}`.execute(db);
  const { verifier, challenge } = newVerifier();
  const code = await codeOf(user, challenge);
  const started = expectStatus(await exchange(code, verifier), 200).json;
  expect(started).toMatchObject({ user: { email: user.email }, workspace: { id: user.workspaceId } });
  expect(Date.parse(started.expiresAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
  const cli = new Client(client.url, `whytrace_session=${started.token}`);
  const browser = (await user.get("/api/auth/session")).json.signIn;
  expect((await cli.get("/api/auth/session")).json.signIn).toEqual(browser);
  expect(browser).toMatchObject({ methods: ["password", "totp"], confirmedAt: null });
  const { sessions } = (await user.get("/api/account/sessions")).json;
  expect(sessions.map(({ userAgent }: { userAgent: string }) => userAgent)).toContain("whytrace@laptop");
  const { events } = (await user.get("/api/audit?action=sign-in.succeeded")).json;
  expect(events).toMatchObject([{ details: { method: "cli" } }]);
  expect(await exchange(code, verifier)).toMatchObject({ status: 400, json: INVALID });
});

it("ends a code that somebody without the verifier presents, after 2 minutes, and with the browser's session", async () => {
  const user = await client.newUser();
  const { verifier, challenge } = newVerifier();
  const stolen = await codeOf(user, challenge);
  expect(await exchange(stolen, newVerifier().verifier)).toMatchObject({ status: 400, json: INVALID });
  expect((await exchange(stolen, verifier)).status).toBe(400);
  const late = await codeOf(user, challenge);
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from expires_at - now())::float8 as seconds from cli_codes
    where user_id = ${user.userId}`.execute(db);
  await sql`update cli_codes set expires_at = now() where user_id = ${user.userId}`.execute(db);
  expect(rows[0]?.seconds).toBeGreaterThan(60);
  expect(rows[0]?.seconds).toBeLessThanOrEqual(120);
  expect((await exchange(late, verifier)).status).toBe(400);
  const orphaned = await codeOf(user, challenge);
  await user.post("/api/auth/logout", {});
  expect((await exchange(orphaned, verifier)).status).toBe(400);
});

it("names the chosen workspace, and none that the person was removed from meanwhile", async () => {
  const [owner, member] = [await client.newUser(), await client.newUser()];
  const prefix = await addMember(db, owner, member, "viewer");
  const { verifier, challenge } = newVerifier();
  const code = await codeOf(member, challenge, prefix);
  expect((await exchange(code, verifier)).json.workspace).toMatchObject({ id: owner.workspaceId });
  const removed = await codeOf(member, challenge, prefix);
  expectStatus(await owner.delete(`/api/members/${member.userId}`), 200);
  expect((await exchange(removed, verifier)).status).toBe(400);
});

it("never lasts longer than 14 days after the person signed in, however often it is renewed", async () => {
  const user = await client.newUser();
  await sql`update sessions set created_at = now() - interval '13 days' where user_id = ${user.userId}`.execute(
    db,
  );
  const { verifier, challenge } = newVerifier();
  const { expiresAt } = (await exchange(await codeOf(user, challenge), verifier)).json;
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(86_400_000);
});
