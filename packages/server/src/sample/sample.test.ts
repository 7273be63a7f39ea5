import type { ScoreNames } from "@whytrace/contract/schemas/scores";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { SAMPLE } from "./make-sample.ts";
import { SAMPLE_WORKSPACE } from "./sample-workspace.ts";

const TRACES = SAMPLE.traces;
SAMPLE.traces = volume(TRACES);
afterAll(() => {
  SAMPLE.traces = TRACES;
});
const { client, db, databaseUrl } = await boot();
const read = (path: string, method = "GET", options: { body?: unknown } = {}) =>
  client.request(method, `/w/sample${path}`, options);

describe("the sample workspace", () => {
  beforeAll(async () => {
    const stored = async () =>
      (
        await sql<{
          count: number;
        }>`select count(*) as count from traces where workspace_id = ${SAMPLE_WORKSPACE}`.execute(db)
      ).rows[0]?.count;
    // A server stores nothing of it before somebody asks.
    expect(await stored()).toBe(0);
    const first = await read("/api/traces");
    expect([first.status, first.json, first.headers.get("retry-after")]).toEqual([
      503,
      { error: "The sample is being prepared." },
      "3",
    ]);
    await vi.waitFor(async () => expectStatus(await read("/api/traces"), 200), {
      timeout: 300_000,
      interval: 500,
    });
  }, 320_000);

  it("is a month that everybody reads without an account, up to today", async () => {
    const { total, traces } = expectStatus(await read("/api/traces"), 200).json;
    expect(total).toBe(SAMPLE.traces);
    expect(Date.now() - Date.parse(traces[0].startedAt)).toBeLessThan(3_600_000);
    const { agents } = expectStatus(await read("/api/insights/agents/health"), 200).json;
    expect(agents.length).toBeGreaterThan(5);
    expectStatus(await read(`/api/traces/${traces[0].id}`), 200);
    expectStatus(await read("/why"), 200);
  });

  it("has the scores of users, of a judge and of a reviewer", async () => {
    const { names } = expectStatus(await read("/api/scores/names"), 200).json;
    expect(names.map(({ name, sources }: ScoreNames["names"][number]) => [name, ...sources])).toEqual(
      expect.arrayContaining([
        ["correct", "judge"],
        ["helpful", "user"],
        ["review", "person"],
      ]),
    );
  });

  it("cannot be changed by anybody, and shows nothing of an account", async () => {
    const user = await newSender(client, db);
    const [{ id }] = (await read("/api/traces?limit=1")).json.traces;
    for (const [method, path] of [
      ["DELETE", `/api/traces/${id}`],
      ["POST", `/api/traces/${id}/shares`],
      ["POST", "/api/views"],
      ["PUT", "/api/prices"],
      ["POST", "/api/traces"],
      ["POST", "/v1/traces"],
      ["POST", "/api/auth/login"],
    ] as const) {
      const { status, text } = await read(path, method, { body: {} });
      expect([status, text], path).toEqual([403, expect.stringContaining("The sample is read-only.")]);
      expect((await user.request(method, `/w/sample${path}`, { body: {} })).status, path).toBe(403);
    }
    for (const path of ["/api/keys", "/api/billing", "/api/account/sessions", "/api/auth/session"])
      expect((await user.get(`/w/sample${path}`)).status, path).toBe(403);
    for (const path of ["/api/stream", "/mcp"]) expect((await read(path)).status, path).toBe(404);
  });

  it("is the same for somebody who has an account, and is not counted", async () => {
    const user = await newSender(client, db, "FREE");
    expect((await user.get("/w/sample/api/traces")).json.total).toBe(SAMPLE.traces);
    expect((await user.get("/api/traces")).json.total).toBe(0);
    expect((await user.get("/api/billing")).json.sessionsUsed).toBe(0);
    const [{ id }] = (await read("/api/traces?limit=1")).json.traces;
    expectStatus(await user.get(`/api/traces/${id}`), 404);
  });

  it("is made once for all processes, and moved to the last month with the same traces", async () => {
    const ids = async () =>
      (
        await sql<{
          id: string;
        }>`select id from traces where workspace_id = ${SAMPLE_WORKSPACE} order by id`.execute(db)
      ).rows.map(({ id }) => id);
    const before = await ids();
    await sql`update traces set started_at = started_at - interval '2 days' where workspace_id = ${SAMPLE_WORKSPACE}`.execute(
      db,
    );
    const other = await boot({ DATABASE_URL: databaseUrl });
    // It is read on while it is moved.
    expectStatus(await other.client.request("GET", "/w/sample/api/traces"), 200);
    const newestMs = async () => {
      const { traces } = (await other.client.request("GET", "/w/sample/api/traces?limit=1")).json;
      return Date.now() - Date.parse(traces[0].startedAt);
    };
    await expect.poll(newestMs, { timeout: 300_000, interval: 500 }).toBeLessThan(3_600_000);
    expect(await ids()).toEqual(before);
  }, 320_000);
});

it("is not there if it is switched off", async () => {
  const off = await boot({ SAMPLE: "off" });
  expect((await off.client.request("GET", "/w/sample/api/traces")).status).toBe(404);
  expect((await off.client.request("GET", "/w/sample/")).status).toBe(404);
  expect((await off.client.request("GET", "/api/auth/registration")).json.hasSample).toBe(false);
});
