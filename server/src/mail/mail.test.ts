import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Booted, boot } from "../../test/boot.ts";
import { type Client, PASSWORD } from "../../test/client.ts";
import { Mailbox, RESET, VERIFY } from "../../test/mailbox.ts";
import { freePort } from "../../test/postgres.ts";
import { queueMail } from "./queue-mail.ts";

const mailbox = new Mailbox();
let booted: Booted;
let client: Client;
beforeAll(async () => {
  booted = await boot({
    SMTP_URL: await mailbox.listen(),
    PUBLIC_URL: "http://localhost:3000",
    MAIL_FROM: "Whytrace <hello@whytrace.example>",
  });
  client = booted.client;
});
afterAll(() => mailbox.close());

const isVerified = async (user: Client) => (await user.get("/api/auth/session")).json.user.isEmailVerified;
const outboxRows = async (recipient: string) => {
  const { rows } = await sql<{ sentAt: string | null; textBody: string | null; htmlBody: string | null }>`
    select sent_at, text_body, html_body from mail_outbox where recipient = ${recipient}`.execute(booted.db);
  return rows;
};

describe("a mail", () => {
  it("has a text and an HTML part with the same link, one recipient and our sender", async () => {
    const user = await client.newUser();
    const mail = await mailbox.mailTo(user.email, VERIFY);
    const link = /http:\/\/localhost:3000\/verify-email\?token=[\w-]{43}/;
    expect(mail.envelope.to).toEqual([user.email]);
    expect(mail.from).toEqual({ name: "Whytrace", address: "hello@whytrace.example" });
    expect(mail.text).toMatch(link);
    expect(mail.html).toContain(`href="${link.exec(mail.text ?? "")?.[0]}"`);
    expect(mail.source).toMatch(/^Auto-Submitted: auto-generated/m);
  });

  it("carries nothing a stranger typed", async () => {
    const email = `victim-${randomUUID()}@example.test`;
    await client.post("/api/auth/register", {
      email,
      password: PASSWORD,
      name: "Win at http://evil.example",
    });
    expect((await mailbox.mailTo(email, VERIFY)).source).not.toContain("evil");
  });

  it("leaves within 3 s and its body is erased from the outbox", async () => {
    const user = await client.newUser();
    await mailbox.mailTo(user.email, VERIFY, 3_000);
    await sleep(100);
    expect(await outboxRows(user.email)).toEqual([
      { sentAt: expect.any(String), textBody: null, htmlBody: null },
    ]);
  });

  it("is sent once by two servers that share the outbox", async () => {
    const shared = new Mailbox();
    const SMTP_URL = await shared.listen();
    const { db, databaseUrl: DATABASE_URL } = await boot({ SMTP_URL });
    await boot({ SMTP_URL, DATABASE_URL });
    const mail = { subject: "Twin", text: "t", html: "h", usefulForMinutes: 5 };
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => queueMail(db, { ...mail, recipient: `twin-${i}@example.test` })),
    );
    const unsent = async () =>
      (await sql`select from mail_outbox where sent_at is null`.execute(db)).rows.length;
    await expect.poll(unsent, { timeout: 8_000 }).toBe(0);
    expect(shared.mails).toHaveLength(30);
    expect(new Set(shared.mails.map((one) => one.envelope.to[0])).size).toBe(30);
    await shared.close();
  });

  it("refused for good by the receiver is dropped and does not hold up the others", async () => {
    const gone = `gone-${randomUUID()}@example.test`;
    mailbox.unknown.add(gone);
    await client.newUser(gone);
    const user = await client.newUser();
    await mailbox.mailTo(user.email, VERIFY);
    await expect.poll(() => outboxRows(gone), { timeout: 4_000 }).toEqual([]);
  });
});

describe("with the mail server down", () => {
  it("registering answers in under 300 ms, and the mail goes out once when the server is back", async () => {
    const port = await freePort();
    const down = new Mailbox();
    const { client: waiting, db } = await boot({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    const email = `down-${randomUUID()}@example.test`;
    await waiting.get("/api/health");
    const began = performance.now();
    expect((await waiting.post("/api/auth/register", { email, password: PASSWORD })).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(300);
    await expect
      .poll(
        async () =>
          (await sql<{ attempts: number }>`select attempts from mail_outbox`.execute(db)).rows[0]?.attempts,
        { timeout: 10_000 },
      )
      .toBeGreaterThanOrEqual(2);
    await down.listen(port);
    await down.mailTo(email, VERIFY, 20_000);
    await sleep(1_500);
    expect(down.mails).toHaveLength(1);
    await down.close();
  });

  it("and none configured, mails wait", async () => {
    const { client: waiting, db } = await boot();
    await waiting.newUser();
    await sleep(1_200);
    const { rows } = await sql`select attempts, sent_at from mail_outbox`.execute(db);
    expect(rows).toEqual([{ attempts: 0, sentAt: null }]);
  });
});

describe("verifying an address", () => {
  it("works once, by the mailed token", async () => {
    const user = await client.newUser();
    const token = await mailbox.tokenFor(user.email, VERIFY);
    expect(await isVerified(user)).toBe(false);
    const answers = await Promise.all([1, 2].map(() => client.post("/api/auth/verify-email", { token })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400]);
    expect(answers.find((answer) => answer.status === 400)?.json).toEqual({
      error: "Invalid or expired token",
    });
    expect(await isVerified(user)).toBe(true);
  });

  it("fails for a token that is forged or has expired", async () => {
    const user = await client.newUser();
    const token = await mailbox.tokenFor(user.email, VERIFY);
    await sql`update email_verification_tokens set expires_at = now() where user_id = ${user.id}`.execute(
      booted.db,
    );
    for (const one of [token, "forged", "\0", "x".repeat(200)])
      expect((await client.post("/api/auth/verify-email", { token: one })).json).toEqual({
        error: "Invalid or expired token",
      });
    expect(await isVerified(user)).toBe(false);
  });

  it("tokens are in the database only as hashes once the mail has left", async () => {
    const user = await client.newUser();
    const token = await mailbox.tokenFor(user.email, VERIFY);
    await sleep(100);
    for (const table of [
      "users",
      "sessions",
      "email_verification_tokens",
      "mail_outbox",
      "rate_limit_hits",
    ]) {
      const { rows } = await sql<{
        line: string;
      }>`select t::text as line from ${sql.table(table)} as t`.execute(booted.db);
      expect(rows.some((row) => row.line.includes(token))).toBe(false);
    }
  });

  it("can be asked for again once in 60 seconds, and not at all when done", async () => {
    const user = await client.newUser();
    const first = await mailbox.tokenFor(user.email, VERIFY);
    const answers = await Promise.all([1, 2, 3].map(() => user.post("/api/auth/resend-verification")));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 429, 429]);
    const wait = Number(answers.find((answer) => answer.status === 429)?.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(60);
    await expect.poll(() => mailbox.tokenFor(user.email, VERIFY), { timeout: 4_000 }).not.toBe(first);
    expect(
      (await client.post("/api/auth/verify-email", { token: await mailbox.tokenFor(user.email, VERIFY) }))
        .status,
    ).toBe(200);
    expect((await client.post("/api/auth/verify-email", { token: first })).status).toBe(400);
    expect((await user.post("/api/auth/resend-verification")).status).toBe(200);
    expect((await user.post("/api/auth/resend-verification")).status).toBe(200);
  });
});

describe("resetting a password", () => {
  const ask = async (email: string) => {
    await client.post("/api/auth/forgot-password", { email });
    return mailbox.tokenFor(email, RESET);
  };

  it("answers the same for every address, and mails only those it knows", async () => {
    const user = await client.newUser();
    const nobody = `nobody-${randomUUID()}@example.test`;
    const [known, unknown] = [
      await client.post("/api/auth/forgot-password", { email: user.email }),
      await client.post("/api/auth/forgot-password", { email: nobody }),
    ];
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    await mailbox.mailTo(user.email, RESET);
    expect(mailbox.mails.some((mail) => mail.envelope.to.includes(nobody))).toBe(false);
  });

  it("works once, also in parallel, ends every session and tells the owner", async () => {
    const user = await client.newUser();
    const other = await client.signIn(user.email);
    const token = await ask(user.email);
    const passwords = ["a new password 1", "a new password 2"];
    const answers = await Promise.all(
      passwords.map((password) => client.post("/api/auth/reset-password", { token, password })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400]);
    for (const session of [user, other]) expect((await session.get("/api/auth/session")).status).toBe(401);
    expect((await client.post("/api/auth/login", { email: user.email, password: PASSWORD })).status).toBe(
      401,
    );
    await client.signIn(user.email, passwords[answers.findIndex((answer) => answer.status === 200)]);
    await mailbox.mailTo(user.email, /password was changed/);
  });

  it("leaves no session that was being opened with the old password meanwhile", async () => {
    const user = await client.newUser();
    const token = await ask(user.email);
    const logins = Array.from({ length: 24 }, () =>
      client.post("/api/auth/login", { email: user.email, password: PASSWORD }),
    );
    const reset = await client.post("/api/auth/reset-password", { token, password: "the newest password" });
    expect(reset.status).toBe(200);
    await Promise.all(logins);
    const { rows } = await sql`select id from sessions where user_id = ${user.id}`.execute(booted.db);
    expect(rows).toEqual([]);
  });

  it("refused for a bad password leaves the token good", async () => {
    const user = await client.newUser();
    const token = await ask(user.email);
    expect((await client.post("/api/auth/reset-password", { token, password: "short" })).status).toBe(400);
    expect(
      (await client.post("/api/auth/reset-password", { token, password: "long enough now" })).status,
    ).toBe(200);
  });

  it("proves the address, and takes the keys of whoever held it unproven", async () => {
    const squatter = await client.newUser();
    await squatter.post("/api/keys", { name: "left behind" });
    await client.post("/api/auth/reset-password", {
      token: await ask(squatter.email),
      password: "the owner's own",
    });
    const owner = await client.signIn(squatter.email, "the owner's own");
    expect((await owner.get("/api/keys")).json.keys).toEqual([]);
    expect(await isVerified(owner)).toBe(true);
    await owner.post("/api/keys", { name: "mine" });
    const before = mailbox.mails.length;
    await client.post("/api/auth/forgot-password", { email: owner.email });
    await expect
      .poll(() => mailbox.mails.slice(before).some((mail) => RESET.test(mail.subject ?? "")), {
        timeout: 4_000,
      })
      .toBe(true);
    await client.post("/api/auth/reset-password", {
      token: await mailbox.tokenFor(owner.email, RESET),
      password: "yet another one",
    });
    const again = await client.signIn(owner.email, "yet another one");
    expect((await again.get("/api/keys")).json.keys).toHaveLength(1);
  });
});
