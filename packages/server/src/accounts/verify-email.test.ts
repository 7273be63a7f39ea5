import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { bootWithMailbox } from "@whytrace/testing/server/boot-with-mailbox.ts";
import { type Client, PASSWORD } from "@whytrace/testing/server/client.ts";
import { VERIFY } from "@whytrace/testing/server/mailbox.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db, mailbox } = await bootWithMailbox();

const isVerified = async (user: Client) => (await user.get("/api/auth/session")).json.user.isEmailVerified;

describe("verifying an address", () => {
  it("works once, with the mailed token", async () => {
    const user = await client.newUser();
    const token = await mailbox.tokenFor(user.email, VERIFY);
    expect(await isVerified(user)).toBe(false);
    const responses = await Promise.all([1, 2].map(() => user.post("/api/auth/verify-email", { token })));
    expect(responses.map((response) => response.status).sort()).toEqual([200, 400]);
    expect(responses.find((response) => response.status === 400)?.json).toEqual({
      error: "Invalid or expired token",
    });
    expect(await isVerified(user)).toBe(true);
  });

  it("fails for a token that is forged or has expired", async () => {
    const user = await client.newUser();
    const token = await mailbox.tokenFor(user.email, VERIFY);
    await sql`update email_verification_tokens set expires_at = now() where user_id = ${user.userId}`.execute(
      db,
    );
    for (const one of [token, "forged", "\0", "x".repeat(200)])
      expect((await client.post("/api/auth/verify-email", { token: one })).json).toEqual({
        error: "Invalid or expired token",
      });
    expect(await isVerified(user)).toBe(false);
  });

  it("leaves only the hash of the token in the database once the mail is sent", async () => {
    const user = await client.newUser();
    const token = await mailbox.tokenFor(user.email, VERIFY);
    const isIn = async (table: string) => {
      const { rows } = await sql<{
        line: string;
      }>`select t::text as line from ${sql.table(table)} as t`.execute(db);
      return rows.some((row) => row.line.includes(token));
    };
    // The mail arrives a moment before its text is erased.
    await expect.poll(() => isIn("mail_outbox")).toBe(false);
    for (const table of ["users", "sessions", "email_verification_tokens", "mail_outbox", "rate_limit_hits"])
      expect([table, await isIn(table)]).toEqual([table, false]);
  });

  it("keeps the sessions and API keys of the account if the browser is signed in to it", async () => {
    const user = await client.newUser();
    const other = await client.signIn(user.email);
    await user.post("/api/keys", { name: "mine" });
    const token = await mailbox.tokenFor(user.email, VERIFY);
    expect((await user.post("/api/auth/verify-email", { token })).status).toBe(200);
    expect(await isVerified(other)).toBe(true);
    expect((await user.get("/api/keys")).json.keys).toHaveLength(1);
  });

  it("in any other browser ends the sessions and revokes the API keys of whoever registered the address", async () => {
    const [squatter, owner] = [await newSender(client, db), await client.newUser()];
    const token = await mailbox.tokenFor(squatter.email, VERIFY);
    expect((await squatter.send([trace()])).status).toBe(200);
    // The owner is signed in to another account of theirs.
    expect((await owner.post("/api/auth/verify-email", { token })).status).toBe(200);
    expect((await squatter.get("/api/auth/session")).status).toBe(401);
    expect((await squatter.send([trace()])).status).toBe(401);
    expect((await owner.get("/api/auth/session")).status).toBe(200);
  });

  it("sends at most five links a day to an address, also to a new account with it", async () => {
    const first = await client.newUser();
    const resend = async (user: Client) => {
      // The hits of the 60-second window expire; those of the day stay.
      await sql`delete from rate_limit_hits where expires_at < now() + interval '1 hour'`.execute(db);
      return user.post("/api/auth/resend-verification");
    };
    for (let i = 0; i < 3; i += 1) expect((await resend(first)).status).toBe(200);
    await first.delete("/api/account", { password: PASSWORD });
    const second = await client.newUser(first.email);
    for (let i = 0; i < 2; i += 1) expect((await resend(second)).status).toBe(200);
    const refused = await resend(second);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(23 * 3_600);
  });

  it("sends another link at most once in 60 seconds, and none after verification", async () => {
    const user = await client.newUser();
    const first = await mailbox.tokenFor(user.email, VERIFY);
    const responses = await Promise.all([1, 2, 3].map(() => user.post("/api/auth/resend-verification")));
    expect(responses.map((response) => response.status).sort()).toEqual([200, 429, 429]);
    const wait = Number(responses.find((response) => response.status === 429)?.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(60);
    await expect.poll(() => mailbox.tokenFor(user.email, VERIFY)).not.toBe(first);
    expect(
      (await user.post("/api/auth/verify-email", { token: await mailbox.tokenFor(user.email, VERIFY) }))
        .status,
    ).toBe(200);
    expect((await client.post("/api/auth/verify-email", { token: first })).status).toBe(400);
    expect((await user.post("/api/auth/resend-verification")).status).toBe(200);
    expect((await user.post("/api/auth/resend-verification")).status).toBe(200);
  });
});
