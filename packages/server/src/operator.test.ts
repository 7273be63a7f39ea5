import { addMember } from "@whytrace/testing/samples/add-member.ts";
import { trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { Client, PASSWORD } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Operator } from "./operator.ts";

let booted: Booted;
let operator: Operator;
beforeAll(async () => {
  booted = await boot();
  operator = new Operator(booted.databaseUrl);
});
afterAll(() => operator.close());

const follow = (link: string, method = "GET") => new Client("").request(method, link);
const createLink = async (email: string) => (await operator.signInLink(booted.server.url, email)) ?? "";

describe("a sign-in link", () => {
  it("signs its user in, once", async () => {
    const { email } = await booted.client.newUser();
    const link = await createLink(email.toUpperCase());
    const first = await follow(link);
    expect([first.status, first.headers.get("location")]).toEqual([302, "/"]);
    expect(first.headers.get("cache-control")).toBe("no-store");
    const cookie = first.headers.getSetCookie()[0] ?? "";
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
    const session = await new Client(booted.server.url, cookie.split(";")[0]).get("/api/auth/session");
    expect(session.json.user.email).toBe(email);
    const second = await follow(link);
    expect([second.status, second.headers.getSetCookie()]).toEqual([400, []]);
    expect(second.text).toMatch(/used already or is older than ten minutes/);
  });

  it("creates one session if used many times at once", async () => {
    const link = await createLink((await booted.client.newUser()).email);
    const responses = await Promise.all(Array.from({ length: 8 }, () => follow(link)));
    expect(responses.map((response) => response.status).sort()).toEqual([302, ...Array(7).fill(400)]);
  });

  it("is not consumed by a HEAD request", async () => {
    const link = await createLink((await booted.client.newUser()).email);
    expect((await follow(link, "HEAD")).status).toBe(404);
    expect((await follow(link)).status).toBe(302);
  });

  it("expires after ten minutes, and only its hash is stored", async () => {
    const user = await booted.client.newUser();
    const link = await createLink(user.email);
    const { rows } = await sql<{ tokenHash: Buffer; minutes: number }>`
      select token_hash, extract(epoch from expires_at - now())::int / 60 as minutes
      from sign_in_tokens where user_id = ${user.userId}`.execute(booted.db);
    expect(rows[0]?.minutes).toBeGreaterThanOrEqual(9);
    expect(link).not.toContain(rows[0]?.tokenHash.toString("base64url"));
    await sql`update sign_in_tokens set expires_at = now() where user_id = ${user.userId}`.execute(booted.db);
    expect((await follow(link)).status).toBe(400);
  });

  it("is invalid after a password change", async () => {
    const user = await booted.client.newUser();
    const link = await createLink(user.email);
    const body = { currentPassword: PASSWORD, password: "another good password" };
    expect((await user.post("/api/account/password", body)).status).toBe(200);
    expect((await follow(link)).status).toBe(400);
  });

  it("is not created for an unknown address, nor by any request", async () => {
    expect(await operator.signInLink(booted.server.url, "nobody@example.test")).toBe(undefined);
    for (const path of ["/login/link", "/login/link?token=", "/login/link?token=x"])
      expect((await booted.client.get(path)).status).toBe(400);
    expect((await booted.client.post("/login/link", {})).status).toBe(404);
  });
});

describe("the operator", () => {
  it("creates a link to set a new password without mail", async () => {
    const { email } = await booted.client.newUser();
    const link = new URL((await operator.resetLink(booted.server.url, email)) ?? "");
    expect(link.pathname).toBe("/reset-password");
    const body = { token: link.searchParams.get("token"), password: "a password chosen anew" };
    expect((await booted.client.post("/api/auth/reset-password", body)).status).toBe(200);
    await booted.client.signIn(email, body.password);
    expect(await operator.resetLink(booted.server.url, "nobody@example.test")).toBe(undefined);
  });

  it("adds a user with a verified address and no limit, and leaves an existing user unchanged", async () => {
    expect(await operator.addUser("own@example.test", "Own")).toBe(true);
    expect(await operator.addUser("own@example.test", "Other")).toBe(false);
    const cookie = (await follow(await createLink("own@example.test"))).headers
      .getSetCookie()[0]
      ?.split(";")[0];
    const own = new Client(booted.server.url, cookie);
    expect((await own.get("/api/auth/session")).json.user).toMatchObject({
      name: "Own",
      isEmailVerified: true,
    });
    expect((await own.get("/api/billing")).json.sessionsLimit).toBeGreaterThan(1_000_000_000);
  });

  it("stores traces in a workspace", async () => {
    const user = await booted.client.newUser();
    const stored = operator.storeTraces(booted.server.url, user.workspaceId, [trace(), trace()]);
    expect(await stored).toBe(2);
    expect((await user.get("/api/traces")).json.total).toBe(2);
  });

  it("names each workspace that a user owns once, also one with several owners", async () => {
    const [user, other] = [await booted.client.newUser(), await booted.client.newUser()];
    await addMember(booted.db, other, user, "owner");
    const idsOf = async (email?: string) =>
      (await operator.ownedWorkspaces(email)).map(({ workspaceId }) => workspaceId);
    expect((await idsOf(user.email.toUpperCase())).sort()).toEqual(
      [user.workspaceId, other.workspaceId].sort(),
    );
    expect((await idsOf()).filter((id) => id === other.workspaceId)).toHaveLength(1);
    expect(await idsOf("nobody@example.test")).toEqual([]);
  });

  it("reports the PostgreSQL version and no pending migrations", async () => {
    const { version, pending } = await operator.describe();
    expect(Number.parseInt(version, 10)).toBeGreaterThan(13);
    expect(pending).toEqual([]);
  });
});
