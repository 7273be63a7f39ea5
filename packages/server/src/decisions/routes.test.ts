import { bootWithListedTraces } from "@whytrace/testing/samples/listed-traces.ts";
import { decision, newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { describe, expect, it } from "vitest";

const { client, db, user, other, get } = await bootWithListedTraces();

describe("GET /api/decisions", () => {
  it("returns the parent trace, and searches reasoning, choice and trace name", async () => {
    const [first] = (await get("/api/decisions?limit=1&sort=oldest")).decisions;
    expect(first).toMatchObject({
      traceId: first.trace.id,
      alternatives: [{ tool: "cache" }],
      trace: {
        name: expect.stringMatching(/^Run/),
        status: expect.any(String),
        startedAt: expect.any(String),
      },
    });
    expect(Object.keys(first.trace).sort()).toEqual(["id", "name", "startedAt", "status"]);
    const [judged] = (await get("/api/decisions?limit=1&sort=oldest&include=outcome")).decisions;
    const outcome = { COMPLETED: "good", ERROR: "bad", RUNNING: "open" }[String(first.trace.status)];
    expect(judged).toEqual({ ...first, trace: { ...first.trace, outcome } });
    expect((await get("/api/decisions?search=BECAUSE%2011-")).total).toBe(3);
    expect((await get(`/api/decisions?search=${encodeURIComponent('{"tool":"SEARCH"')}`)).total).toBe(36);
    expect((await get("/api/decisions?search=run%2011")).total).toBe(3);
    expect((await get("/api/decisions?search=elsewhere")).total).toBe(0);
  });

  it("is read with a cursor: nothing twice, and everything that stays, whatever is stored meanwhile", async () => {
    const reader = await newSender(client, db);
    const decided = (id: string) =>
      trace({
        id: `${reader.workspaceId} ${id}`,
        decisionPoints: ["a", "b", "c"].map((one) => decision({ id: one })),
      });
    expectStatus(await reader.send(["1", "2", "3", "4", "5"].map(decided)), 200);
    const seen: string[] = [];
    for (let cursor: string | null = "start"; cursor !== null; ) {
      const response = await reader.get(`/api/decisions?type=TOOL_SELECTION&limit=4&cursor=${cursor}`);
      const page: { decisions: { traceId: string; id: string }[]; nextCursor: string | null } = expectStatus(
        response,
        200,
      ).json;
      expect(Object.keys(page)).toEqual(["decisions", "limit", "nextCursor"]);
      seen.push(...page.decisions.map(({ traceId, id }) => `${traceId.slice(-1)}${id}`));
      if (cursor === "start") {
        expectStatus(await reader.send([decided("0"), decided("2")]), 200);
        expectStatus(await reader.delete(`/api/traces/${reader.workspaceId} 4`), 200);
      }
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(["1", "2", "3", "5"].flatMap((id) => [`${id}a`, `${id}b`, `${id}c`]));
    const { nextCursor } = (await reader.get("/api/decisions?limit=1&cursor=start")).json;
    expect((await reader.get(`/api/decisions?search=x&cursor=${nextCursor}`)).status).toBe(400);
    expect((await reader.get("/api/decisions?sort=newest&cursor=start")).status).toBe(400);
  });

  it("finds a choice that was sent with escapes", async () => {
    const raw = JSON.stringify({ traces: [trace({ decisionPoints: [decision({ chosen: "@" })] })] }).replace(
      '"@"',
      '"caf\\u00e9"',
    );
    await fetch(`${client.url}/api/traces`, {
      method: "POST",
      body: raw,
      headers: { authorization: `Bearer ${other.key}` },
    });
    const found = await other.get(`/api/decisions?search=${encodeURIComponent("café")}`);
    expect(found.json.total).toBe(1);
    expect(found.text).toContain('"chosen":"caf\\u00e9"');
  });

  it("finds a renamed trace by its new name only", async () => {
    const sent = trace({ name: "before", decisionPoints: [decision()] });
    await other.send([sent]);
    await other.send([{ ...sent, name: "afterwards" }]);
    expect((await other.get("/api/decisions?search=before")).json.total).toBe(0);
    expect((await other.get("/api/decisions?search=afterwards")).json.total).toBe(1);
  });

  it.each([
    [
      "type=GUESS",
      "Invalid type. Must be one of: TOOL_SELECTION, ROUTING, RETRY, ESCALATION, MEMORY_RETRIEVAL, PLANNING, CUSTOM",
    ],
    ["sort=longest", "Invalid sort. Must be one of: newest, oldest, costliest"],
    ["page=0", "Invalid page parameter. Must be a positive integer."],
  ])("%s is 400", async (query, error) => {
    const response = await user.get(`/api/decisions?${query}`);
    expect([response.status, response.json]).toEqual([400, { error }]);
  });
});
