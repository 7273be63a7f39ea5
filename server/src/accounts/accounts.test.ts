import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { type Booted, boot } from "../../test/boot.ts";
import { Client, PASSWORD } from "../../test/client.ts";

let booted: Booted;
let client: Client;
beforeAll(async () => {
  booted = await boot();
  client = booted.client;
});

const newEmail = () => `new-${randomUUID()}@example.test`;
const count = async (table: string, userId: string) => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.table(table)} where user_id = ${userId}`.execute(booted.db);
  return rows[0]?.n;
};

describe("register", () => {
  it("answers byte for byte the same for a new and a known address", async () => {
    const user = await client.newUser();
    const fresh = await client.post("/api/auth/register", { email: newEmail(), password: PASSWORD });
    const known = await client.post("/api/auth/register", { email: user.email, password: PASSWORD });
    expect([fresh.status, known.status]).toEqual([200, 200]);
    expect(known.text).toBe(fresh.text);
    expect([...known.headers.keys()]).toEqual([...fresh.headers.keys()]);
  });

  it("creates user, FREE subscription, token and mail together", async () => {
    const user = await client.newUser();
    const { rows } = await sql`
      select tier, sessions_limit, sessions_used from subscriptions where user_id = ${user.id}`.execute(
      booted.db,
    );
    expect(rows).toEqual([{ tier: "FREE", sessionsLimit: 20, sessionsUsed: 0 }]);
    expect(await count("email_verification_tokens", user.id)).toBe(1);
    const mails = await sql`select subject from mail_outbox where recipient = ${user.email}`.execute(
      booted.db,
    );
    expect(mails.rows).toEqual([{ subject: "Confirm your address for Whytrace" }]);
  });

  it("leaves a known account as it is, in whatever case its address is written, and tells its owner", async () => {
    const user = await client.newUser();
    await client.post("/api/auth/register", {
      email: user.email.toUpperCase(),
      password: "another password",
      name: "Eve",
    });
    expect(
      (await client.post("/api/auth/login", { email: user.email, password: "another password" })).status,
    ).toBe(401);
    expect((await user.get("/api/auth/session")).json.user.name).toBe("Ada");
    const { rows } = await sql`
      select subject from mail_outbox where recipient = ${user.email} order by created_at desc limit 1`.execute(
      booted.db,
    );
    expect(rows).toEqual([{ subject: "You already have a Whytrace account" }]);
  });

  it("makes one account of twenty registrations of one address at the same time", async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.post("/api/auth/register", { email, password: PASSWORD })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    const { rows } = await sql`select id from users where email = ${email}`.execute(booted.db);
    expect(rows).toHaveLength(1);
  });

  it.each([
    ["no body", undefined],
    ["an empty body", {}],
    ["a list of addresses", { email: "a@example.test,b@example.test", password: PASSWORD }],
    ["a quoted address", { email: '"x@evil.test"@example.test', password: PASSWORD }],
    ["a header after the address", { email: "a@example.test\r\nBcc: b@example.test", password: PASSWORD }],
    ["an address that is an object", { email: { $gt: "" }, password: PASSWORD }],
    ["a password of 9 characters", { email: "a@example.test", password: "123456789" }],
    ["a password of 201 characters", { email: "a@example.test", password: "x".repeat(201) }],
    ["NUL in the name", { email: "a@example.test", password: PASSWORD, name: "a\0b" }],
    ["a lone surrogate in the name", { email: "a@example.test", password: PASSWORD, name: "a\ud800b" }],
  ])("refuses %s with a text that names the fault", async (_, body) => {
    const answer = await client.post("/api/auth/register", body);
    expect(answer.status).toBe(400);
    expect(answer.json.error).toEqual(expect.any(String));
    expect(Object.keys(answer.json)).toEqual(["error"]);
  });

  it.each([
    [{ email: "a@example.test", password: "short" }, "password: must have at least 10 characters"],
    [{ email: "a@example.test" }, "password: is required"],
    [{ email: "a@example.test", password: 7 }, "password: must be of type string"],
    [{ email: "nonsense", password: PASSWORD }, "email: must be an e-mail address such as ada@example.com"],
    [{ email: "a@example.test", password: PASSWORD, name: "" }, "name: must not be empty"],
  ])("says which field is wrong and what would be right: %j", async (body, error) => {
    expect((await client.post("/api/auth/register", body)).json).toEqual({ error });
  });

  it("ignores fields that would grant something", async () => {
    const email = newEmail();
    const body = {
      email,
      password: PASSWORD,
      tier: "PRO",
      emailVerified: true,
      isEmailVerified: true,
      id: randomUUID(),
    };
    await client.post("/api/auth/register", body);
    const user = await client.signIn(email);
    expect(user.id).not.toBe(body.id);
    expect((await user.get("/api/auth/session")).json.user.isEmailVerified).toBe(false);
  });

  it("is refused with 403 when registration is closed, also for known addresses", async () => {
    const { client: closed } = await boot({ REGISTRATION: "closed", DATABASE_URL: booted.databaseUrl });
    const user = await client.newUser();
    for (const email of [user.email, newEmail()]) {
      const answer = await closed.post("/api/auth/register", { email, password: PASSWORD });
      expect([answer.status, answer.json]).toEqual([403, { error: "Registration is closed" }]);
    }
    expect((await closed.signIn(user.email)).cookie).toBeDefined();
  });
});

describe("login", () => {
  it("fails alike for a wrong password, an unknown address and nonsense", async () => {
    const user = await client.newUser();
    const bodies = [
      { email: user.email, password: "wrong password" },
      { email: newEmail(), password: PASSWORD },
      { email: "nonsense", password: PASSWORD },
      { email: "a\0b", password: "\0" },
      { email: "", password: "" },
    ];
    for (const body of bodies) {
      const answer = await client.post("/api/auth/login", body);
      expect([answer.status, answer.text]).toEqual([401, '{"error":"Invalid email or password"}']);
    }
  });

  it("takes the password in either Unicode composition", async () => {
    const email = newEmail();
    await client.post("/api/auth/register", { email, password: "pässwörd-à-la-carte".normalize("NFC") });
    await client.signIn(email, "pässwörd-à-la-carte".normalize("NFD"));
  });

  it("sets a cookie that holds only a random token, for 7 days, out of reach of scripts and other sites", async () => {
    const user = await client.newUser();
    const answer = await client.post("/api/auth/login", { email: user.email, password: PASSWORD });
    const cookies = answer.headers.getSetCookie();
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(
      /^whytrace_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it("adds Secure and the __Host- prefix where the service is reached by https", async () => {
    const { client: secure } = await boot({
      PUBLIC_URL: "https://whytrace.example",
      DATABASE_URL: booted.databaseUrl,
    });
    const user = await client.newUser();
    const answer = await secure.post("/api/auth/login", { email: user.email, password: PASSWORD });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-whytrace_session=.+; Secure;/);
    expect(answer.headers.get("strict-transport-security")).toMatch(/max-age=63072000/);
  });

  it("stores no token and no password in clear", async () => {
    const user = await client.newUser();
    const { rows } = await sql<{ tokenHash: Buffer; passwordHash: string }>`
      select token_hash, password_hash from sessions join users on users.id = user_id
      where user_id = ${user.id}`.execute(booted.db);
    expect(rows[0]?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(rows[0]?.tokenHash.toString("base64url")).not.toBe(user.cookie?.split("=")[1]);
    expect(rows[0]?.tokenHash).toHaveLength(32);
  });
});

describe("a session", () => {
  it("tells who is signed in and nothing of the password", async () => {
    const user = await client.newUser();
    const { status, json } = await user.get("/api/auth/session");
    expect(status).toBe(200);
    expect(json).toEqual({
      user: {
        id: user.id,
        email: user.email,
        name: "Ada",
        isEmailVerified: false,
        createdAt: expect.any(String),
      },
      expiresAt: expect.any(String),
    });
    expect(Date.parse(json.expiresAt) - Date.now()).toBeGreaterThan(7 * 86_400_000 - 60_000);
  });

  it("ends on the server at logout", async () => {
    const user = await client.newUser();
    expect((await user.post("/api/auth/logout")).json).toEqual({ success: true });
    expect((await user.get("/api/auth/session")).status).toBe(401);
  });

  it("is absolute: use does not prolong it, and its end is the database's", async () => {
    const user = await client.newUser();
    await sql`update sessions set expires_at = now() + interval '400 milliseconds' where user_id = ${user.id}`.execute(
      booted.db,
    );
    expect((await user.get("/api/auth/session")).status).toBe(200);
    await new Promise((later) => setTimeout(later, 500));
    expect((await user.get("/api/auth/session")).status).toBe(401);
  });

  it.each([undefined, "whytrace_session=", "whytrace_session=forged", "whytrace_session=%00", "other=x"])(
    "is not made by a cookie such as %s",
    async (cookie) => {
      const answer = await new Client(client.url, cookie).get("/api/auth/session");
      expect([answer.status, answer.json]).toEqual([401, { error: "Unauthorized" }]);
    },
  );

  it("is listed with its agent; one or all others can be ended, nobody else's", async () => {
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

describe("the account", () => {
  it("takes another name, and none", async () => {
    const user = await client.newUser();
    expect((await user.patch("/api/account", { name: "  Grace Hopper " })).json.user.name).toBe(
      "Grace Hopper",
    );
    expect((await user.get("/api/auth/session")).json.user.name).toBe("Grace Hopper");
    expect((await user.patch("/api/account", { name: null })).json.user.name).toBe(null);
    expect((await user.patch("/api/account", { name: "" })).status).toBe(400);
    expect((await user.patch("/api/account", { email: "x@example.test" })).status).toBe(400);
  });

  it("changes its password for whoever knows the present one, and ends the other sessions", async () => {
    const user = await client.newUser();
    const other = await client.signIn(user.email);
    const wrong = await user.post("/api/account/password", {
      currentPassword: "not it",
      password: "a new password",
    });
    expect([wrong.status, wrong.json]).toEqual([401, { error: "Current password is incorrect" }]);
    expect(
      (await user.post("/api/account/password", { currentPassword: PASSWORD, password: "short" })).status,
    ).toBe(400);
    const right = await user.post("/api/account/password", {
      currentPassword: PASSWORD,
      password: "a new password",
    });
    expect(right.json).toEqual({ success: true });
    expect((await user.get("/api/auth/session")).status).toBe(200);
    expect((await other.get("/api/auth/session")).status).toBe(401);
    await client.signIn(user.email, "a new password");
    expect((await client.post("/api/auth/login", { email: user.email, password: PASSWORD })).status).toBe(
      401,
    );
  });
});
