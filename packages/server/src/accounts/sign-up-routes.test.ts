import { randomUUID } from "node:crypto";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { type Client, PASSWORD } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";

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

describe("what a visitor is told before registering", () => {
  it("are the configured limit, whether registration is open, and whether mails are sent", async () => {
    expect((await client.get("/api/auth/registration")).json).toEqual({
      isOpen: true,
      hasSample: true,
      plan: { tier: "FREE", sessionsLimit: 20, period: "day", priceUsd: 0 },
      mail: "none",
    });
    const own = await boot({
      FREE_SESSIONS_PER_DAY: "7",
      REGISTRATION: "closed",
      SMTP_URL: "log:",
    });
    expect((await own.client.get("/api/auth/registration")).json).toMatchObject({
      isOpen: false,
      hasSample: true,
      plan: { sessionsLimit: 7 },
      mail: "log",
    });
  });
});

describe("a server that sends no mail", () => {
  it("claims to have sent none, and says the same for a new, a known and an unknown address", async () => {
    const user = await client.newUser();
    for (const email of [newEmail(), user.email]) {
      const registered = await client.post("/api/auth/register", { email, password: PASSWORD });
      expect(registered.json.message).toBe(
        "This server sends no mail, so you cannot confirm the address now.",
      );
    }
    for (const email of [newEmail(), user.email]) {
      const requested = await client.post("/api/auth/forgot-password", { email });
      expect(requested.json.message).toBe(
        "This server sends no mail. Ask its operator for a link to choose a new password.",
      );
    }
  });
});

describe("register", () => {
  it("responds with the same bytes for a new and a known address", async () => {
    const user = await client.newUser();
    const fresh = await client.post("/api/auth/register", { email: newEmail(), password: PASSWORD });
    const known = await client.post("/api/auth/register", { email: user.email, password: PASSWORD });
    expect([fresh.status, known.status]).toEqual([200, 200]);
    expect(known.text).toBe(fresh.text);
    expect([...known.headers.keys()]).toEqual([...fresh.headers.keys()]);
  });

  it("creates user, FREE subscription, token and mail in one transaction", async () => {
    const user = await client.newUser();
    const { rows } = await sql`
      select tier, sessions_limit, sessions_used from subscriptions where workspace_id = ${user.workspaceId}`.execute(
      booted.db,
    );
    expect(rows).toEqual([{ tier: "FREE", sessionsLimit: 20, sessionsUsed: 0 }]);
    expect(await count("email_verification_tokens", user.userId)).toBe(1);
    const mails = await sql`select subject from mail_outbox where recipient = ${user.email}`.execute(
      booted.db,
    );
    expect(mails.rows).toEqual([{ subject: "Confirm your address for Whytrace" }]);
  });

  it("leaves an existing account unchanged, in any letter case of its address, and notifies its owner", async () => {
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

  it("creates one account from twenty concurrent registrations of one address", async () => {
    const email = newEmail();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => client.post("/api/auth/register", { email, password: PASSWORD })),
    );
    expect(responses.map((response) => response.status)).toEqual(Array(20).fill(200));
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
  ])("rejects %s with one error text", async (_, body) => {
    const response = await client.post("/api/auth/register", body);
    expect(response.status).toBe(400);
    expect(response.json.error).toEqual(expect.any(String));
    expect(Object.keys(response.json)).toEqual(["error"]);
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

  it("ignores fields that would grant privileges", async () => {
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
    expect(user.userId).not.toBe(body.id);
    expect((await user.get("/api/auth/session")).json.user.isEmailVerified).toBe(false);
  });

  it("is rejected with 403 if registration is closed, also for known addresses", async () => {
    const { client: closed } = await boot({ REGISTRATION: "closed", DATABASE_URL: booted.databaseUrl });
    const user = await client.newUser();
    for (const email of [user.email, newEmail()]) {
      const response = await closed.post("/api/auth/register", { email, password: PASSWORD });
      expect([response.status, response.json]).toEqual([403, { error: "Registration is closed" }]);
    }
    expect((await closed.signIn(user.email)).cookie).toBeDefined();
  });
});
