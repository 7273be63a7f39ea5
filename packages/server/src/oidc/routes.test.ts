import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import {
  Client,
  expectStatus,
  PASSWORD,
  type SignedInUser,
  type TestResponse,
} from "@whytrace/testing/server/client.ts";
import { cookiesOf, TestIdentityProvider } from "@whytrace/testing/server/identity-provider.ts";
import { addPasskey } from "@whytrace/testing/server/second-factor.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";

const ORIGIN = "http://localhost:3000";
const provider = new TestIdentityProvider("corp");
let settings: Record<string, string>;
let booted: Booted;
let client: Client;
beforeAll(async () => {
  settings = {
    ...(await provider.settings()),
    PUBLIC_URL: ORIGIN,
    ENCRYPTION_KEYS: randomBytes(32).toString("base64"),
  };
  booted = await boot(settings);
  client = booted.client;
});

const newAccount = () => ({ sub: randomUUID(), email: `${randomUUID()}@corp.test` });
const sessionCookie = (response: TestResponse) => /whytrace_session=[^;]+/.exec(cookiesOf(response))?.[0];
const sessionOf = async (response: TestResponse) =>
  expectStatus(await new Client(client.url, sessionCookie(response)).get("/api/auth/session"), 200).json;
function expectRefused(response: TestResponse, reason: string, page = "/login") {
  expect([response.status, response.headers.get("location")]).toEqual([302, `${page}?error=${reason}`]);
  expect(sessionCookie(response)).toBe(undefined);
}
const verify = (user: SignedInUser) =>
  sql`update users set email_verified_at = now() where id = ${user.userId}`.execute(booted.db);

describe("a sign-in with a provider", () => {
  it("creates a verified account without a password, and knows it by its subject", async () => {
    const account = newAccount();
    const first = await provider.walk(client, account, {}, "/traces?status=ERROR");
    expect([first.status, first.headers.get("location")]).toEqual([302, "/traces?status=ERROR"]);
    const session = await sessionOf(first);
    expect(session).toMatchObject({
      user: { email: account.email, isEmailVerified: true, name: "Ada" },
      signIn: { methods: ["oidc:corp"], hasSecondFactor: false },
    });
    const moved = await provider.walk(client, { ...account, email: `new-${account.email}` });
    expect((await sessionOf(moved)).user).toEqual(session.user);
    expectRefused(await provider.walk(client, { ...account, sub: randomUUID() }), "link-needed");
    const login = await client.post("/api/auth/login", { email: account.email, password: PASSWORD });
    expect(login.status).toBe(401);
  });

  it("says whether the provider asked for a second factor", async () => {
    const signedIn = await provider.walk(client, newAccount(), { claims: { amr: ["pwd", "mfa"] } });
    expect((await sessionOf(signedIn)).signIn.methods).toEqual(["oidc:corp", "oidc-mfa"]);
  });

  it("creates one account if the same person comes many times at once", async () => {
    const account = newAccount();
    const answers = await Promise.all([1, 2, 3, 4].map(() => provider.walk(client, account)));
    const ids = await Promise.all(answers.map(async (answer) => (await sessionOf(answer)).user.id));
    expect(new Set(ids).size).toBe(1);
  });

  it("refuses a token with another nonce, audience or issuer, expired, or not signed by the provider", async () => {
    const past = Math.floor(Date.now() / 1_000) - 900;
    const { privateKey: key } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    for (const lies of [
      { claims: { nonce: "another" } },
      { claims: { aud: "somebody-else" } },
      { claims: { iss: "https://other.example" } },
      { claims: { iat: past, exp: past + 300 } },
      { key },
      { alg: "none" },
    ])
      expectRefused(await provider.walk(client, newAccount(), lies), "provider");
  });

  it("refuses a replayed answer, another browser, a forged state and another issuer", async () => {
    const start = () => new Client(client.url).get("/api/auth/oidc/corp");
    const answer = async () => provider.signIn(await start(), newAccount());
    const used = await answer();
    expect(sessionCookie(await provider.comeBack(client, used))).toBeDefined();
    expectRefused(await provider.comeBack(client, used), "expired");
    expectRefused(await provider.comeBack(client, { ...(await answer()), cookie: "" }), "expired");
    const [mine, theirs] = [await answer(), await answer()];
    expectRefused(await provider.comeBack(client, { ...theirs, cookie: mine.cookie }), "expired");
    // Somebody else's attempt has not ended the flow.
    expect(sessionCookie(await provider.comeBack(client, theirs))).toBeDefined();
    const forged = await answer();
    forged.query.set("state", "forged");
    expectRefused(await provider.comeBack(client, forged), "expired");
    const mixed = await answer();
    mixed.query.set("iss", "https://other.example");
    expectRefused(await provider.comeBack(client, mixed), "provider");
    const withoutIssuer = await answer();
    withoutIssuer.query.delete("iss");
    expectRefused(await provider.comeBack(client, withoutIssuer), "provider");
    const denied = await answer();
    denied.query.delete("code");
    denied.query.set("error", "access_denied");
    expectRefused(await provider.comeBack(client, denied), "refused");
    const old = await answer();
    await sql`update oidc_flows set expires_at = now()`.execute(booted.db);
    expectRefused(await provider.comeBack(client, old), "expired");
  });

  it("stores neither state nor nonce nor verifier", async () => {
    const started = await new Client(client.url).get("/api/auth/oidc/corp");
    const asked = new URL(started.headers.get("location") ?? "").searchParams;
    const secret = /whytrace_oidc=([^;]+)/.exec(cookiesOf(started))?.[1] ?? "";
    const { rows } = await sql<{
      line: string;
    }>`select row_to_json(oidc_flows)::text as line from oidc_flows`.execute(booted.db);
    expect(rows.length).toBeGreaterThan(0);
    for (const { line } of rows)
      for (const text of [asked.get("state"), asked.get("nonce"), secret]) expect(line).not.toContain(text);
  });

  it("finds no unknown provider, and one that is down keeps nobody else out", async () => {
    expect((await client.get("/api/auth/oidc/unknown")).status).toBe(404);
    expect((await client.get("/api/auth/oidc/unknown/callback")).status).toBe(404);
    const { client: other } = await boot({
      ...settings,
      OIDC_CORP_ISSUER: "http://127.0.0.1:1025",
      DATABASE_URL: booted.databaseUrl,
    });
    expectRefused(await other.get("/api/auth/oidc/corp"), "provider");
    await other.newUser();
  });
});

describe("new people", () => {
  it("join the workspace of OIDC_…_JOIN and get none of their own, if they are invited also while registration is closed", async () => {
    const owner = await client.newUser();
    await verify(owner);
    const slug = (await owner.get("/api/workspace")).json.slug;
    const join = { OIDC_CORP_JOIN: `${slug}:viewer`, REGISTRATION: "closed" };
    const { client: other } = await boot({ ...settings, ...join, DATABASE_URL: booted.databaseUrl });
    const [account, inviter] = [newAccount(), await client.newUser()];
    expectRefused(await provider.walk(other, account), "closed");
    await verify(inviter);
    expectStatus(await inviter.post("/api/invitations", { email: account.email }), 201);
    const invited = await provider.walk(other, account);
    const session = await sessionOf(invited);
    expect(session.workspaces).toMatchObject([{ slug, role: "viewer" }]);
    const person = new Client(client.url, sessionCookie(invited));
    expect((await person.get("/api/account/invitations")).json.invitations).toHaveLength(1);
    const { events } = (await owner.get("/api/audit?action=member.joined")).json;
    expect(events).toMatchObject([
      { actor: { id: session.user.id, name: account.email }, details: { by: "provider", role: "viewer" } },
    ]);
    // Whoever comes again after a removal does not join again.
    expectStatus(await owner.delete(`/api/members/${session.user.id}`), 200);
    expect((await sessionOf(await provider.walk(other, account))).workspaces).toEqual([]);
  });

  it("get the role of an invitation to the workspace of OIDC_…_JOIN", async () => {
    const [owner, account] = [await client.newUser(), newAccount()];
    await verify(owner);
    const slug = (await owner.get("/api/workspace")).json.slug;
    const join = { OIDC_CORP_JOIN: `${slug}:viewer`, OIDC_CORP_REGISTER: "true" };
    const { client: other } = await boot({ ...settings, ...join, DATABASE_URL: booted.databaseUrl });
    expectStatus(await owner.post("/api/invitations", { email: account.email, role: "admin" }), 201);
    const person = new Client(client.url, sessionCookie(await provider.walk(other, account)));
    const [{ id }] = (await person.get("/api/account/invitations")).json.invitations;
    const { workspace } = expectStatus(await person.post("/api/invitations/accept", { id }), 200).json;
    expect(workspace).toMatchObject({ slug, role: "admin" });
  });
});

describe("an account with the address", () => {
  it("is linked if both have verified it, with a mail that says so", async () => {
    const user = await client.newUser();
    await verify(user);
    for (const claims of [
      { email_verified: false },
      { email_verified: undefined },
      { email_verified: "true" },
    ])
      expectRefused(
        await provider.walk(client, { sub: randomUUID(), email: user.email }, { claims }),
        "unverified-email",
      );
    const linked = await provider.walk(client, { sub: randomUUID(), email: user.email.toUpperCase() });
    expect((await sessionOf(linked)).user.id).toBe(user.userId);
    expect((await user.get("/api/auth/session")).status).toBe(200);
    const { rows } = await sql<{ subject: string }>`
      select subject from mail_outbox where recipient = ${user.email}`.execute(booted.db);
    expect(rows.map(({ subject }) => subject)).toContain("You can now sign in to Whytrace with Corp");
  });

  it("is not linked past a second factor", async () => {
    const user = await client.newUser();
    await verify(user);
    await addPasskey(user, ORIGIN);
    expectRefused(await provider.walk(client, { sub: randomUUID(), email: user.email }), "link-needed");
  });

  it("loses what somebody set up who never proved the address", async () => {
    const squatter = await client.newUser();
    const { key } = (await squatter.post("/api/keys", { name: "read", scope: "read" })).json;
    const owner = await provider.walk(client, { sub: randomUUID(), email: squatter.email });
    const session = await sessionOf(owner);
    expect(session.user).toMatchObject({ id: squatter.userId, isEmailVerified: true });
    expect(session.signIn.hasSecondFactor).toBe(false);
    expect((await squatter.get("/api/auth/session")).status).toBe(401);
    const login = await client.post("/api/auth/login", { email: squatter.email, password: PASSWORD });
    expect(login.status).toBe(401);
    const headers = { authorization: `Bearer ${key}` };
    expect((await new Client(client.url).get("/api/traces", { headers })).status).toBe(401);
  });

  it("is found or made only as the settings of the provider allow", async () => {
    const walkWith = async (more: Record<string, string>, email: string, claims = {}) => {
      const { client: other } = await boot({ ...settings, ...more, DATABASE_URL: booted.databaseUrl });
      return provider.walk(other, { sub: randomUUID(), email }, { claims });
    };
    const user = await client.newUser();
    await verify(user);
    expectRefused(await walkWith({ OIDC_CORP_TRUST_EMAIL: "never" }, user.email), "link-needed");
    expectRefused(await walkWith({ REGISTRATION: "closed" }, newAccount().email), "closed");
    const may = { REGISTRATION: "closed", OIDC_CORP_REGISTER: "true" };
    expect(sessionCookie(await walkWith(may, newAccount().email))).toBeDefined();
    expectRefused(await walkWith({ OIDC_CORP_DOMAINS: "acme.test" }, newAccount().email), "domain");
    const always = await walkWith({ OIDC_CORP_TRUST_EMAIL: "always" }, newAccount().email, {
      email_verified: undefined,
    });
    expect(sessionCookie(always)).toBeDefined();
    const trusted = await walkWith({ OIDC_CORP_MFA: "trusted" }, newAccount().email);
    expect((await sessionOf(trusted)).signIn.methods).toEqual(["oidc:corp", "oidc-mfa"]);
  });
});

describe("a linked provider", () => {
  const link = async (user: SignedInUser, account: { sub: string; email: string }) => {
    await verify(user);
    const started = expectStatus(await user.post("/api/account/identities", { provider: "corp" }), 200);
    const cookie = `${user.cookie}; ${cookiesOf(started)}`;
    return provider.comeBack(client, provider.signIn({ location: started.json.url, cookie }, account));
  };

  it("is linked by the person of the session that asked, listed and unlinked", async () => {
    const [user, other] = [await client.newUser(), await client.newUser()];
    await addPasskey(user, ORIGIN);
    const account = newAccount();
    const linked = await link(user, account);
    expect(linked.headers.get("location")).toBe("/settings/sign-in");
    const { identities } = (await user.get("/api/account/identities")).json;
    expect(identities).toMatchObject([{ provider: "corp", name: "Corp", email: account.email }]);
    expect((await sessionOf(await provider.walk(client, account))).user.id).toBe(user.userId);
    expectRefused(await link(other, account), "link-needed", "/settings/sign-in");
    expectRefused(await link(user, newAccount()), "link-needed", "/settings/sign-in");
    const path = `/api/account/identities/${identities[0].id}`;
    expect((await other.delete(path)).status).toBe(404);
    expect((await user.delete(path)).status).toBe(200);
    expect((await user.post("/api/account/identities", { provider: "unknown" })).status).toBe(400);
  });

  it("links nothing for another session", async () => {
    const [user, mallory] = [await client.newUser(), await client.newUser()];
    await verify(mallory);
    const started = await mallory.post("/api/account/identities", { provider: "corp" });
    const cookie = `${user.cookie}; ${cookiesOf(started)}`;
    const answer = provider.signIn({ location: started.json.url, cookie }, newAccount());
    expectRefused(await provider.comeBack(client, answer), "expired", "/settings/sign-in");
    expect((await user.get("/api/account/identities")).json.identities).toEqual([]);
  });

  it("is not unlinked if it is the only way to sign in, and confirms a person who has no other proof", async () => {
    const account = newAccount();
    const person = new Client(client.url, sessionCookie(await provider.walk(client, account)));
    await sql`
      update sessions set confirmed_at = null
      where user_id = (select id from users where email = ${account.email})`.execute(booted.db);
    const [identity] = (await person.get("/api/account/identities")).json.identities;
    const path = `/api/account/identities/${identity.id}`;
    const refused = await person.delete(path);
    expect([refused.status, refused.headers.get("whytrace-confirm")]).toEqual([403, "oidc"]);
    const confirm = async (by: { sub: string; email: string }, claims = {}) => {
      const started = await person.get("/api/auth/oidc/corp?confirm=true&next=/settings/sign-in");
      expect(new URL(started.headers.get("location") ?? "").searchParams.get("max_age")).toBe("0");
      const cookie = `${person.cookie}; ${cookiesOf(started)}`;
      const location = started.headers.get("location") ?? "";
      return provider.comeBack(client, provider.signIn({ location, cookie }, by, { claims }));
    };
    expectRefused(await confirm(newAccount()), "refused", "/settings/sign-in");
    const hourAgo = Math.floor(Date.now() / 1_000) - 3_600;
    expectRefused(await confirm(account, { auth_time: hourAgo }), "provider", "/settings/sign-in");
    expectRefused(await confirm(account, { auth_time: undefined }), "provider", "/settings/sign-in");
    expect((await person.delete(path)).status).toBe(403);
    expect((await confirm(account)).headers.get("location")).toBe("/settings/sign-in");
    expect((await person.delete(path)).text).toBe('{"error":"This is your only way to sign in."}');
    expect((await person.delete("/api/account", {})).status).toBe(200);
  });
});

it("PASSWORD_SIGN_IN=off turns passwords off", async () => {
  const { client: other } = await boot({
    ...settings,
    PASSWORD_SIGN_IN: "off",
    DATABASE_URL: booted.databaseUrl,
  });
  const user = await client.newUser();
  const off = '{"error":"Password sign-in is off on this server."}';
  const body = { email: user.email, password: PASSWORD };
  for (const path of ["/api/auth/login", "/api/auth/register", "/api/auth/forgot-password"])
    expect((await other.post(path, body)).text).toBe(off);
  expect((await other.get("/api/auth/methods")).json.password).toBe(false);
  expect(sessionCookie(await provider.walk(other, newAccount()))).toBeDefined();
});
