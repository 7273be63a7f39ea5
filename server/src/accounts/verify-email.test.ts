import { setTimeout as sleep } from "node:timers/promises";
import { bootWithMailbox } from "@whytrace/testing/boot-with-mailbox.ts";
import type { Client } from "@whytrace/testing/client.ts";
import { VERIFY } from "@whytrace/testing/mailbox.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db, mailbox } = await bootWithMailbox();

const isVerified = async (user: Client) => (await user.get("/api/auth/session")).json.user.isEmailVerified;

describe("verifying an address", () => {
  it("works once, with the mailed token", async () => {
    const user = await client.newUser();
    const token = await mailbox.tokenFor(user.email, VERIFY);
    expect(await isVerified(user)).toBe(false);
    const responses = await Promise.all([1, 2].map(() => client.post("/api/auth/verify-email", { token })));
    expect(responses.map((response) => response.status).sort()).toEqual([200, 400]);
    expect(responses.find((response) => response.status === 400)?.json).toEqual({
      error: "Invalid or expired token",
    });
    expect(await isVerified(user)).toBe(true);
  });

  it("fails for a token that is forged or has expired", async () => {
    const user = await client.newUser();
    const token = await mailbox.tokenFor(user.email, VERIFY);
    await sql`update email_verification_tokens set expires_at = now() where user_id = ${user.id}`.execute(db);
    for (const one of [token, "forged", "\0", "x".repeat(200)])
      expect((await client.post("/api/auth/verify-email", { token: one })).json).toEqual({
        error: "Invalid or expired token",
      });
    expect(await isVerified(user)).toBe(false);
  });

  it("leaves only the hash of the token in the database once the mail is sent", async () => {
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
      }>`select t::text as line from ${sql.table(table)} as t`.execute(db);
      expect(rows.some((row) => row.line.includes(token))).toBe(false);
    }
  });

  it("sends another link at most once in 60 seconds, and none after verification", async () => {
    const user = await client.newUser();
    const first = await mailbox.tokenFor(user.email, VERIFY);
    const responses = await Promise.all([1, 2, 3].map(() => user.post("/api/auth/resend-verification")));
    expect(responses.map((response) => response.status).sort()).toEqual([200, 429, 429]);
    const wait = Number(responses.find((response) => response.status === 429)?.headers.get("retry-after"));
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
