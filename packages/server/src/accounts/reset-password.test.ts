import { randomUUID } from "node:crypto";
import { bootWithMailbox } from "@whytrace/testing/server/boot-with-mailbox.ts";
import { type Client, PASSWORD } from "@whytrace/testing/server/client.ts";
import { RESET } from "@whytrace/testing/server/mailbox.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db, mailbox } = await bootWithMailbox();

const isVerified = async (user: Client) => (await user.get("/api/auth/session")).json.user.isEmailVerified;

describe("resetting a password", () => {
  const ask = async (email: string) => {
    await client.post("/api/auth/forgot-password", { email });
    return mailbox.tokenFor(email, RESET);
  };

  it("responds the same for every address, and mails only known ones", async () => {
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

  it("works once, even in parallel, ends every session and notifies the owner", async () => {
    const user = await client.newUser();
    const other = await client.signIn(user.email);
    const token = await ask(user.email);
    const passwords = ["a new password 1", "a new password 2"];
    const responses = await Promise.all(
      passwords.map((password) => client.post("/api/auth/reset-password", { token, password })),
    );
    expect(responses.map((response) => response.status).sort()).toEqual([200, 400]);
    for (const session of [user, other]) expect((await session.get("/api/auth/session")).status).toBe(401);
    expect((await client.post("/api/auth/login", { email: user.email, password: PASSWORD })).status).toBe(
      401,
    );
    await client.signIn(user.email, passwords[responses.findIndex((response) => response.status === 200)]);
    await mailbox.mailTo(user.email, /password was changed/);
  });

  it("leaves no session from a concurrent sign-in with the old password", async () => {
    const user = await client.newUser();
    const token = await ask(user.email);
    const logins = Array.from({ length: 24 }, () =>
      client.post("/api/auth/login", { email: user.email, password: PASSWORD }),
    );
    const reset = await client.post("/api/auth/reset-password", { token, password: "the newest password" });
    expect(reset.status).toBe(200);
    await Promise.all(logins);
    const { rows } = await sql`select id from sessions where user_id = ${user.userId}`.execute(db);
    expect(rows).toEqual([]);
  });

  it("leaves the token valid if the new password is rejected", async () => {
    const user = await client.newUser();
    const token = await ask(user.email);
    expect((await client.post("/api/auth/reset-password", { token, password: "short" })).status).toBe(400);
    expect(
      (await client.post("/api/auth/reset-password", { token, password: "long enough now" })).status,
    ).toBe(200);
  });

  it("verifies the address, and revokes API keys that were created before it was verified", async () => {
    const squatter = await client.newUser();
    await squatter.post("/api/keys", { name: "left behind" });
    await client.post("/api/auth/reset-password", {
      token: await ask(squatter.email),
      password: "the owner's own",
    });
    expect((await mailbox.mailTo(squatter.email, /password was changed/)).text).toContain("API keys");
    const owner = await client.signIn(squatter.email, "the owner's own");
    expect((await owner.get("/api/keys")).json.keys).toEqual([]);
    expect(await isVerified(owner)).toBe(true);
    await owner.post("/api/keys", { name: "mine" });
    const before = mailbox.mails.length;
    await client.post("/api/auth/forgot-password", { email: owner.email });
    await expect
      .poll(() => mailbox.mails.slice(before).some((mail) => RESET.test(mail.subject ?? "")))
      .toBe(true);
    await client.post("/api/auth/reset-password", {
      token: await mailbox.tokenFor(owner.email, RESET),
      password: "yet another one",
    });
    const again = await client.signIn(owner.email, "yet another one");
    expect((await again.get("/api/keys")).json.keys).toHaveLength(1);
  });
});
