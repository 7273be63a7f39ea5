import { createHash } from "node:crypto";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { Client } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { createDatabase, createPool } from "../db/database.ts";
import { findKeyOwner } from "./find-key-owner.ts";
import { generateKey, isWellFormedKey } from "./key-format.ts";

let booted: Booted;
let client: Client;
beforeAll(async () => {
  booted = await boot();
  client = booted.client;
});

describe("a key's format", () => {
  it("is wt_, at least 160 random bits in base62, and a checksum", () => {
    const keys = Array.from({ length: 1_000 }, generateKey);
    for (const key of keys) expect(key).toMatch(/^wt_[0-9A-Za-z]{36}$/);
    expect(new Set(keys).size).toBe(1_000);
    expect(keys.every(isWellFormedKey)).toBe(true);
  });

  it("detects every single mistyped character", () => {
    const key = generateKey();
    for (let i = 0; i < key.length; i += 1) {
      const typo = key.slice(0, i) + (key[i] === "x" ? "y" : "x") + key.slice(i + 1);
      expect(isWellFormedKey(typo)).toBe(false);
    }
    for (const nonsense of [
      "",
      "wt_",
      `${key} `,
      `${key}\n`,
      key.slice(1),
      key.slice(0, -1),
      key.toLowerCase(),
    ])
      expect(isWellFormedKey(nonsense)).toBe(false);
  });
});

describe("API keys", () => {
  it("are shown once, listed without the secret, and stored as SHA-256", async () => {
    const user = await client.newUser();
    const created = await user.post("/api/keys", { name: "ci" });
    expect(created.status).toBe(201);
    expect(created.json).toEqual({
      id: expect.any(String),
      name: "ci",
      key: expect.stringMatching(/^wt_/),
      prefix: created.json.key.slice(0, 10),
      scope: "send",
      createdAt: expect.any(String),
      expiresAt: null,
    });
    const listed = await user.get("/api/keys");
    const { key, ...rest } = created.json;
    expect(listed.json).toEqual({
      keys: [{ ...rest, isExpired: false, lastUsedAt: null, createdBy: { id: user.userId, name: "Ada" } }],
    });
    const { rows } = await sql<{
      keyHash: Buffer;
    }>`select key_hash from api_keys where workspace_id = ${user.workspaceId}`.execute(booted.db);
    expect(rows[0]?.keyHash).toEqual(createHash("sha256").update(key).digest());
  });

  it("are revoked only by their owner; an unknown id and another user's id get the same response", async () => {
    const [user, stranger] = [await client.newUser(), await client.newUser()];
    const { id } = (await user.post("/api/keys", { name: "mine" })).json;
    const foreign = await stranger.delete(`/api/keys/${id}`);
    const unknown = await stranger.delete("/api/keys/nothing");
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.text).toBe(unknown.text);
    expect((await user.delete(`/api/keys/${id}`)).json).toEqual({ success: true });
    expect((await user.delete(`/api/keys/${id}`)).status).toBe(404);
  });

  it("are at most ten: the eleventh is 409 until one is revoked", async () => {
    const user = await client.newUser();
    for (let i = 0; i < 10; i += 1) await user.post("/api/keys", { name: `key ${i}` });
    const rejected = await user.post("/api/keys", { name: "one more" });
    expect([rejected.status, rejected.json]).toEqual([409, { error: "API key limit reached (10)" }]);
    const { keys } = (await user.get("/api/keys")).json;
    await user.delete(`/api/keys/${keys[0].id}`);
    expect((await user.post("/api/keys", { name: "again" })).status).toBe(201);
  });

  it.each([
    {},
    { name: "" },
    { name: "   " },
    { name: 7 },
    { name: "x".repeat(201) },
    { name: "a\u0007" },
    { name: "a", scope: "all" },
    { name: "a", expiresAt: "tomorrow" },
    { name: "a", expiresAt: "2020-01-01" },
    { name: "a", expiresAt: 1 },
  ])("are not created from the invalid body %j", async (body) => {
    const user = await client.newUser();
    expect((await user.post("/api/keys", body)).status).toBe(400);
  });

  it("identify their user until revoked", async () => {
    const user = await client.newUser();
    const { id, key } = (await user.post("/api/keys", { name: "used" })).json;
    expect(await findKeyOwner(booted.db, key)).toMatchObject({ workspaceId: user.workspaceId });
    expect(await findKeyOwner(booted.db, generateKey())).toBe(undefined);
    await user.delete(`/api/keys/${id}`);
    expect(await findKeyOwner(booted.db, key)).toBe(undefined);
  });

  it("send or read until the instant at which they expire, and stay in the list", async () => {
    const user = await client.newUser();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const { key, ...created } = (await user.post("/api/keys", { name: "ci", scope: "read", expiresAt })).json;
    expect(created).toMatchObject({ scope: "read", expiresAt });
    const read = () =>
      new Client(client.url).get("/api/decisions", { headers: { authorization: `Bearer ${key}` } });
    expect((await read()).status).toBe(200);
    await sql`update api_keys set expires_at = now() where workspace_id = ${user.workspaceId}`.execute(
      booted.db,
    );
    expect([(await read()).status, (await read()).json]).toEqual([401, { error: "Unauthorized" }]);
    expect((await user.get("/api/keys")).json.keys).toMatchObject([{ id: created.id, isExpired: true }]);
  });

  it("do only what their scope allows, and say so", async () => {
    const user = await client.newUser();
    const attempt = async (scope: string, method: string, path: string) => {
      const { key } = (await user.post("/api/keys", { name: scope, scope })).json;
      const headers = { authorization: `Bearer ${key}` };
      const { status, json } = await new Client(client.url).request(method, path, {
        headers,
        ...(method !== "GET" && { body: {} }),
      });
      return [status, json.error];
    };
    const text = (can: string, cannot: string, scope: string) =>
      `This key can ${can}, not ${cannot}. Create a key with the scope ${scope} in Settings, API keys.`;
    const verdicts = "/api/insights/verdicts";
    expect(await attempt("send", "GET", "/api/decisions")).toEqual([
      403,
      text("send traces", "read them", "read"),
    ]);
    expect(await attempt("read", "POST", "/api/traces")).toEqual([
      403,
      text("read traces", "send them", "send"),
    ]);
    expect(await attempt("read", "PUT", verdicts)).toEqual([
      403,
      text("read traces", "write verdicts", "review"),
    ]);
    expect(await attempt("review", "PUT", verdicts)).toEqual([400, "traceId: is required"]);
    expect(await attempt("review", "POST", "/v1/traces")).toEqual([403, undefined]);
    const list = await new Client(client.url).get("/api/traces", {
      headers: { authorization: `Bearer ${(await user.post("/api/keys", { name: "send" })).json.key}` },
    });
    expect([list.status, list.json]).toEqual([401, { error: "Unauthorized" }]);
    expect(list.headers.get("www-authenticate")).toContain("This key can send traces, not read them.");
  });

  it("are rejected without a database query if malformed", async () => {
    const unreachable = createDatabase(createPool("postgres://127.0.0.1:1/nowhere"));
    const key = generateKey();
    const typo = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
    await expect(findKeyOwner(unreachable, typo)).resolves.toBe(undefined);
    await expect(findKeyOwner(unreachable, key)).rejects.toThrow("ECONNREFUSED");
  });

  it("record their last use at most once a minute", async () => {
    const user = await client.newUser();
    const { key } = (await user.post("/api/keys", { name: "busy" })).json;
    const lastUsedAt = async () => (await user.get("/api/keys")).json.keys[0].lastUsedAt;
    await findKeyOwner(booted.db, key);
    const first = await lastUsedAt();
    expect(Math.abs(Date.parse(first) - Date.now())).toBeLessThan(5_000);
    await findKeyOwner(booted.db, key);
    expect(await lastUsedAt()).toBe(first);
    await sql`update api_keys set last_used_at = last_used_at - interval '61 seconds' where workspace_id = ${user.workspaceId}`.execute(
      booted.db,
    );
    await findKeyOwner(booted.db, key);
    expect(Date.parse(await lastUsedAt())).toBeGreaterThanOrEqual(Date.parse(first));
  });
});
