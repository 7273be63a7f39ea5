import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@whytrace/testing/free-port.ts";
import { fastestMs } from "@whytrace/testing/least-of.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { bootWithMailbox } from "@whytrace/testing/server/boot-with-mailbox.ts";
import { PASSWORD } from "@whytrace/testing/server/client.ts";
import { Mailbox, VERIFY } from "@whytrace/testing/server/mailbox.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { queueMail } from "./queue-mail.ts";

const { client, db, mailbox } = await bootWithMailbox();

const outboxRows = async (recipient: string) => {
  const { rows } = await sql<{ sentAt: string | null; textBody: string | null; htmlBody: string | null }>`
    select sent_at, text_body, html_body from mail_outbox where recipient = ${recipient}`.execute(db);
  return rows;
};

describe("a mail", () => {
  it("has a text and an HTML part with the same link, one recipient and the configured sender", async () => {
    const user = await client.newUser();
    const mail = await mailbox.mailTo(user.email, VERIFY);
    const link = /http:\/\/localhost:3000\/verify-email\?token=[\w-]{43}/;
    expect(mail.envelope.to).toEqual([user.email]);
    expect(mail.from).toEqual({ name: "Whytrace", address: "hello@whytrace.example" });
    expect(mail.text).toMatch(link);
    expect(mail.html).toContain(`href="${link.exec(mail.text ?? "")?.[0]}"`);
    expect(mail.source).toMatch(/^Auto-Submitted: auto-generated/m);
  });

  it("contains no text that the caller of the API entered", async () => {
    const email = `victim-${randomUUID()}@example.test`;
    await client.post("/api/auth/register", {
      email,
      password: PASSWORD,
      name: "Win at http://evil.example",
    });
    expect((await mailbox.mailTo(email, VERIFY)).source).not.toContain("evil");
  });

  it("is sent within 3 s, and then its body is erased from the outbox", async () => {
    let user = await client.newUser();
    const sent = await fastestMs(3_000, async () => {
      user = await client.newUser();
      await mailbox.mailTo(user.email, VERIFY);
    });
    expect(sent).toBeLessThan(3_000);
    await expect
      .poll(() => outboxRows(user.email))
      .toEqual([{ sentAt: expect.any(String), textBody: null, htmlBody: null }]);
  });

  it("is sent once if two servers share the outbox", async () => {
    const shared = new Mailbox();
    const SMTP_URL = await shared.listen();
    const { db, databaseUrl: DATABASE_URL } = await boot({ SMTP_URL });
    await boot({ SMTP_URL, DATABASE_URL });
    const mail = { subject: "Twin", text: "t", html: "h", expiresInMinutes: 5 };
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => queueMail(db, { ...mail, recipient: `twin-${i}@example.test` })),
    );
    const unsent = async () =>
      (await sql`select from mail_outbox where sent_at is null`.execute(db)).rows.length;
    await expect.poll(unsent).toBe(0);
    expect(shared.mails).toHaveLength(30);
    expect(new Set(shared.mails.map((one) => one.envelope.to[0])).size).toBe(30);
    await shared.close();
  });

  it("that the receiver rejects permanently is deleted and does not delay the others", async () => {
    const gone = `gone-${randomUUID()}@example.test`;
    mailbox.unknown.add(gone);
    await client.newUser(gone);
    const user = await client.newUser();
    await mailbox.mailTo(user.email, VERIFY);
    await expect.poll(() => outboxRows(gone)).toEqual([]);
  });
});

describe("a mail server that does not accept mail from this server", () => {
  const bootWith = async (rejecting: Mailbox, query = "") => {
    const booted = await boot({ SMTP_URL: (await rejecting.listen()) + query });
    const health = async () => {
      const { status, json } = await booted.client.get("/api/health");
      return [status, json.status, json.checks.mail];
    };
    return { ...booted, health };
  };
  const failing = [200, "ok", "failing"];
  const ok = [200, "ok", undefined];

  it("loses no mail, shows in the health check, and gets the mails when it accepts the sender", async () => {
    const rejecting = new Mailbox();
    rejecting.rejectsSender = true;
    const { client, db, health } = await bootWith(rejecting);
    expect(await health()).toEqual(ok);
    const user = await client.newUser();
    await expect.poll(health).toEqual(failing);
    rejecting.rejectsSender = false;
    await sql`update mail_outbox set next_attempt_at = now()`.execute(db);
    await rejecting.mailTo(user.email, VERIFY);
    await expect.poll(health).toEqual(ok);
    await rejecting.close();
  });

  it("gets no mail in plain text if TLS is required, and shows in the health check", async () => {
    const plain = new Mailbox();
    const { client, db, health } = await bootWith(plain, "?tls=required");
    await client.newUser();
    await expect.poll(health).toEqual(failing);
    expect(plain.mails).toEqual([]);
    const { rows } = await sql`select sent_at from mail_outbox`.execute(db);
    expect(rows).toEqual([{ sentAt: null }]);
    await plain.close();
  });
});

describe("with the mail server down", () => {
  it("registering responds in under 300 ms, and the mail is sent once when the server is back", async () => {
    const port = await freePort();
    const down = new Mailbox();
    const { client: waiting, db } = await boot({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    const email = `down-${randomUUID()}@example.test`;
    await waiting.get("/api/health");
    const registered = await fastestMs(300, async (round) => {
      const body = { email: round === 0 ? email : `${round}-${email}`, password: PASSWORD };
      expect((await waiting.post("/api/auth/register", body)).status).toBe(200);
    });
    expect(registered).toBeLessThan(300);
    await expect
      .poll(
        async () =>
          (
            await sql<{ attempts: number }>`
              select attempts from mail_outbox where recipient = ${email}`.execute(db)
          ).rows[0]?.attempts,
      )
      .toBeGreaterThanOrEqual(2);
    await down.listen(port);
    await down.mailTo(email, VERIFY);
    await sleep(1_500);
    expect(down.mails.filter((one) => one.envelope.to.includes(email))).toHaveLength(1);
    await down.close();
  });

  it("or not configured, mails stay in the outbox", async () => {
    const { client: waiting, db } = await boot();
    await waiting.newUser();
    await sleep(1_200);
    const { rows } = await sql`select attempts, sent_at from mail_outbox`.execute(db);
    expect(rows).toEqual([{ attempts: 0, sentAt: null }]);
  });
});
