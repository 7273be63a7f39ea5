import { randomUUID } from "node:crypto";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { Client, PASSWORD } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { issueLink } from "./sign-in-link.ts";

let booted: Booted;
let client: Client;
beforeAll(async () => {
  booted = await boot();
  client = booted.client;
});

const newEmail = () => `new-${randomUUID()}@example.test`;

describe("login", () => {
  it("fails the same way for a wrong password, an unknown address and an invalid one", async () => {
    const user = await client.newUser();
    const bodies = [
      { email: user.email, password: "wrong password" },
      { email: newEmail(), password: PASSWORD },
      { email: "nonsense", password: PASSWORD },
      { email: "a\0b", password: "\0" },
      { email: "", password: "" },
    ];
    for (const body of bodies) {
      const response = await client.post("/api/auth/login", body);
      expect([response.status, response.text]).toEqual([401, '{"error":"Invalid email or password"}']);
    }
  });

  it("accepts the password in composed and decomposed Unicode form", async () => {
    const email = newEmail();
    await client.post("/api/auth/register", { email, password: "pässwörd-à-la-carte".normalize("NFC") });
    await client.signIn(email, "pässwörd-à-la-carte".normalize("NFD"));
  });

  it("sets a cookie with only a random token, for 7 days, HttpOnly and SameSite, and one that recognises the browser", async () => {
    const user = await client.newUser();
    const response = await client.post("/api/auth/login", { email: user.email, password: PASSWORD });
    const cookies = response.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    expect(cookies[0]).toMatch(
      /^whytrace_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(cookies[1]).toMatch(
      /^whytrace_device=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it("adds Secure and the __Host- prefix if the public URL is https", async () => {
    const { client: secure } = await boot({
      PUBLIC_URL: "https://whytrace.example",
      DATABASE_URL: booted.databaseUrl,
    });
    const user = await client.newUser();
    const response = await secure.post("/api/auth/login", { email: user.email, password: PASSWORD });
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-whytrace_session=.+; Secure;/);
    expect(response.headers.getSetCookie()[1]).toMatch(/^__Host-whytrace_device=.+; Secure;/);
    expect(response.headers.get("strict-transport-security")).toMatch(/max-age=63072000/);
  });

  it("stores no token and no password in plain text", async () => {
    const user = await new Client(client.url).newUser();
    const { rows } = await sql<{ tokenHash: Buffer; passwordHash: string }>`
      select token_hash, password_hash from sessions join users on users.id = user_id
      where user_id = ${user.userId}`.execute(booted.db);
    expect(rows[0]?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(rows[0]?.tokenHash.toString("base64url")).not.toBe(user.cookie?.split("=")[1]);
    expect(rows[0]?.tokenHash).toHaveLength(32);
  });
});

describe("strangers who guess a password", () => {
  const wrong = (from: Client, email: string) =>
    from.post("/api/auth/login", { email, password: "wrong password" });
  const cookiesOf = (headers: Headers) =>
    headers
      .getSetCookie()
      .map((cookie) => cookie.split(";")[0])
      .join("; ");

  it("lock out other strangers, but not a browser in which the owner signed in before, which has the same limit", async () => {
    const { client, db } = await boot({ RATE_LIMIT_LOGIN: "3/15m" });
    // Over HTTP, so that the sign-in counts.
    const overHttp = new Client(client.url);
    const user = await overHttp.newUser();
    const body = { email: user.email, password: PASSWORD };
    const signedIn = await client.post("/api/auth/login", body);
    const known = new Client(client.url, cookiesOf(signedIn.headers));
    expect((await wrong(client, user.email)).status).toBe(401);
    expect((await client.post("/api/auth/login", body)).status).toBe(429);

    const again = await known.post("/api/auth/login", body);
    expect(again.status).toBe(200);
    known.cookie = cookiesOf(again.headers);
    for (const status of [401, 401, 429]) expect((await wrong(known, user.email)).status).toBe(status);
    expect((await known.post("/api/auth/login", body)).status).toBe(429);

    // The cookie of one account is worth nothing for another one.
    const other = await overHttp.newUser();
    for (const status of [401, 401, 429]) expect((await wrong(known, other.email)).status).toBe(status);
    for (const cookie of ["whytrace_device=forged", "whytrace_device=", "whytrace_device=%00"])
      expect((await new Client(client.url, cookie).post("/api/auth/login", body)).status).toBe(429);
    const { rows } = await sql<{ line: string }>`select devices::text as line from devices`.execute(db);
    expect(rows.length).toBeGreaterThan(0);
    for (const { line } of rows)
      for (const cookie of known.cookie.split("; ")) expect(line).not.toContain(cookie.split("=")[1]);
  });

  it("do not keep the owner from changing the password or deleting the account while signed in", async () => {
    const { client } = await boot({ RATE_LIMIT_LOGIN: "3/15m" });
    const user = await client.newUser();
    while ((await wrong(client, user.email)).status !== 429);
    const change = (currentPassword: string) =>
      user.post("/api/account/password", { currentPassword, password: "a new password" });
    expect((await change(PASSWORD)).status).toBe(200);
    for (const status of [401, 401, 429]) expect((await change("wrong password")).status).toBe(status);
    const other = await client.newUser();
    while ((await wrong(client, other.email)).status !== 429);
    expect((await other.delete("/api/account", { password: PASSWORD })).status).toBe(200);
  });

  it("find at most ten known browsers of an account", async () => {
    const user = await client.newUser();
    for (let i = 0; i < 12; i += 1) await client.signIn(user.email);
    const { rows } = await sql`select from devices where user_id = ${user.userId}`.execute(booted.db);
    expect(rows).toHaveLength(10);
  });
});

describe("a session", () => {
  it("ends when its browser signs in again, also as another user and with a link; other sessions go on", async () => {
    const [user, other] = [await client.newUser(), await client.newUser()];
    const elsewhere = await client.signIn(user.email);
    const again = await user.post("/api/auth/login", { email: other.email, password: PASSWORD });
    expect(again.status).toBe(200);
    expect((await user.get("/api/auth/session")).status).toBe(401);
    expect((await elsewhere.get("/api/auth/session")).status).toBe(200);
    expect((await other.get("/api/auth/session")).status).toBe(200);
    const failed = await elsewhere.post("/api/auth/login", {
      email: other.email,
      password: "wrong password",
    });
    expect(failed.status).toBe(401);
    expect((await elsewhere.get("/api/auth/session")).status).toBe(200);
    const link = await issueLink(booted.db, "", user.email, "signIn");
    expect((await elsewhere.get(link ?? "")).status).toBe(302);
    expect((await elsewhere.get("/api/auth/session")).status).toBe(401);
  });

  it("returns the user without the password hash", async () => {
    const user = await client.newUser();
    const { status, json } = await user.get("/api/auth/session");
    expect(status).toBe(200);
    expect(json).toEqual({
      user: {
        id: user.userId,
        email: user.email,
        name: "Ada",
        isEmailVerified: false,
        createdAt: expect.any(String),
      },
      expiresAt: expect.any(String),
      workspaces: [
        expect.objectContaining({ role: "viewer" }),
        expect.objectContaining({ id: user.workspaceId, role: "owner" }),
      ],
      signIn: {
        methods: ["password"],
        at: expect.any(String),
        confirmedAt: expect.any(String),
        hasSecondFactor: false,
      },
    });
    expect(Date.parse(json.expiresAt) - Date.now()).toBeGreaterThan(7 * 86_400_000 - 60_000);
  });

  it("ends on the server at logout", async () => {
    const user = await client.newUser();
    expect((await user.post("/api/auth/logout")).json).toEqual({ success: true });
    expect((await user.get("/api/auth/session")).status).toBe(401);
  });

  it("has an absolute expiry, enforced by the database, that use does not extend", async () => {
    const user = await client.newUser();
    // The next request records when the session was last seen.
    await sql`
      update sessions set expires_at = now() + interval '1 hour', last_seen_at = now() - interval '1 hour'
      where user_id = ${user.userId}`.execute(booted.db);
    expect((await user.get("/api/auth/session")).status).toBe(200);
    // An hour passes.
    await sql`
      update sessions set expires_at = expires_at - interval '1 hour', last_seen_at = last_seen_at - interval '1 hour'
      where user_id = ${user.userId}`.execute(booted.db);
    expect((await user.get("/api/auth/session")).status).toBe(401);
  });

  it.each([undefined, "whytrace_session=", "whytrace_session=forged", "whytrace_session=%00", "other=x"])(
    "is not accepted from the cookie %s",
    async (cookie) => {
      const response = await new Client(client.url, cookie).get("/api/auth/session");
      expect([response.status, response.json]).toEqual([401, { error: "Unauthorized" }]);
    },
  );

  it("is listed with its user agent; a user can end one or all others, but not another user's", async () => {
    const user = await client.newUser();
    const other = await client.signIn(user.email);
    const third = await client.signIn(user.email);
    const { json } = await user.get("/api/account/sessions");
    expect(json.sessions).toHaveLength(3);
    expect(json.sessions.filter((one: { isCurrent: boolean }) => one.isCurrent)).toHaveLength(1);
    expect(json.sessions[0]).toMatchObject({
      userAgent: "node",
      createdAt: expect.any(String),
      lastSeenAt: expect.any(String),
    });

    const otherId = (await other.get("/api/account/sessions")).json.sessions.find(
      (one: { isCurrent: boolean }) => one.isCurrent,
    ).id;
    const stranger = await client.newUser();
    expect((await stranger.delete(`/api/account/sessions/${otherId}`)).status).toBe(404);
    expect((await user.delete(`/api/account/sessions/${otherId}`)).status).toBe(200);
    expect((await user.delete(`/api/account/sessions/${otherId}`)).status).toBe(404);
    expect((await user.delete("/api/account/sessions/nonsense")).status).toBe(404);
    expect((await other.get("/api/auth/session")).status).toBe(401);

    expect((await user.delete("/api/account/sessions")).status).toBe(200);
    expect((await third.get("/api/auth/session")).status).toBe(401);
    expect((await user.get("/api/auth/session")).status).toBe(200);
    expect((await stranger.get("/api/auth/session")).status).toBe(200);
  });
});
