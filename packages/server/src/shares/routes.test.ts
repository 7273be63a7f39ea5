import { agentRun, otlpTraces } from "@whytrace/testing/otlp/otlp-samples.ts";
import { otlpId, sendOtlp } from "@whytrace/testing/otlp/sample-otlp.ts";
import { decision, event, newSender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { Client, expectStatus, PASSWORD } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { NO_SHARE } from "./require-share.ts";

let booted: Booted;
beforeAll(async () => {
  booted = await boot({ RATE_LIMIT_SHARED: "200/15m", TRUST_PROXY: "1" });
});

/** A user with a trace, and a reader without an account who has a link to it. */
async function shareTrace(body: object = {}) {
  const owner = await newSender(booted.client, booted.db);
  const whole = trace({
    metadata: { secret: "payload" },
    spans: [span({ id: "s", input: "payload" })],
    decisionPoints: [
      decision({
        id: "d",
        contextSnapshot: "payload",
        reasoning: "because of a payload",
        chosen: { tool: "charge_card", arguments: { card: "payload" } },
        alternatives: [{ tool: "refund", arguments: ["payload"] }, "ask a human"],
      }),
    ],
    events: [event({ id: "e", metadata: "payload" })],
  });
  expectStatus(await owner.send([whole]), 200);
  const created = expectStatus(await owner.post(`/api/traces/${whole.id}/shares`, body), 201).json;
  const token = new URL(created.url).pathname.replace("/shared/", "");
  const reader = new Client(booted.client.url);
  const read = (path = "") => reader.get(`/api/shared/${token}${path}`);
  const isDead = async () => {
    const responses = [
      await read(),
      await read("/link"),
      await read("/outline"),
      await read("/why"),
      await read("/spans/s"),
    ];
    return responses.every(({ status }) => status === 404);
  };
  return { owner, whole, created, token, read, isDead };
}

const RECORDS = ["", "/spans/s", "/decision-points/d", "/events/e"];

describe("a link", () => {
  it("shows its trace as the owner sees it, without whose it is, for 30 days", async () => {
    const { owner, whole, created, read } = await shareTrace();
    const { userId, ...own } = (await owner.get(`/api/traces/${whole.id}`)).json;
    expect(userId).toBe(owner.workspaceId);
    expect((await read()).json).toEqual(own);
    for (const path of RECORDS.slice(1))
      expect((await read(path)).json).toEqual((await owner.get(`/api/traces/${whole.id}${path}`)).json);
    const days = (Date.parse(created.expiresAt) - Date.parse(created.createdAt)) / 86_400_000;
    expect(Math.round(days * 1_000) / 1_000).toBe(30);
  });

  it("leaves out payloads if told", async () => {
    const { read } = await shareTrace({ payloads: false });
    expect((await read("/link")).json).toMatchObject({ hasPayloads: false });
    const outline = expectStatus(await read("/outline"), 200);
    expect(outline.text).not.toContain("payload");
    expect(outline.json.decisionPoints).toMatchObject([
      {
        id: "d",
        reasoning: null,
        chosen: { tool: "charge_card" },
        alternatives: [{ tool: "refund" }, "ask a human"],
      },
    ]);
    for (const path of RECORDS) {
      const { status, json } = await read(path);
      expect([path, status, json]).toEqual([path, 403, { error: "This link does not include payloads" }]);
    }
  });

  it("leaves out what decisions repeat of a model's answer", async () => {
    const owner = await newSender(booted.client, booted.db);
    const traceId = otlpId(16);
    expectStatus(await sendOtlp(booted.client, owner.key, otlpTraces(agentRun(traceId, 5))), 200);
    const whole = (await owner.get(`/api/traces/${traceId}`)).json;
    const [{ chosen }] = whole.decisionPoints;
    expect(chosen).toMatchObject({ name: expect.any(String), arguments: expect.anything() });
    const { url } = (await owner.post(`/api/traces/${traceId}/shares`, { payloads: false })).json;
    const read = (path: string) => new Client(booted.client.url).get(path);
    const outline = await read(`/api/shared/${url.split("/").pop()}/outline`);
    const exported = await owner.get(`/api/export/traces?ids=${traceId}&payloads=false`);
    for (const { decisionPoints } of [outline.json, JSON.parse(exported.text)])
      expect(decisionPoints).toEqual(
        whole.decisionPoints.map(({ contextSnapshot: _, ...decision }: Record<string, { name: string }>) => ({
          ...decision,
          reasoning: null,
          chosen: { name: decision.chosen?.name },
        })),
      );
  });

  it("is stored as a hash, listed without the secret, and its openings are counted", async () => {
    const { owner, whole, created, token, read } = await shareTrace();
    await read("/link");
    await read("/outline");
    await read("/link");
    const { shares } = (await owner.get("/api/shares")).json;
    expect(shares).toEqual([
      {
        id: created.id,
        traceId: whole.id,
        traceName: whole.name,
        hasPayloads: true,
        hasWhy: false,
        createdAt: created.createdAt,
        expiresAt: created.expiresAt,
        isExpired: false,
        openCount: 2,
        lastOpenedAt: expect.any(String),
        createdBy: { id: owner.userId, name: "Ada" },
      },
    ]);
    const { rows } =
      await sql`select trace_shares::text from trace_shares where workspace_id = ${owner.workspaceId}`.execute(
        booted.db,
      );
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it.each<[string, (shared: Awaited<ReturnType<typeof shareTrace>>) => Promise<unknown>]>([
    ["it is revoked", ({ owner, created }) => owner.delete(`/api/shares/${created.id}`)],
    [
      "it expires",
      ({ owner }) =>
        sql`update trace_shares set expires_at = now() where workspace_id = ${owner.workspaceId}`.execute(
          booted.db,
        ),
    ],
    ["its trace is deleted", ({ owner, whole }) => owner.delete(`/api/traces/${whole.id}`)],
    ["the account is deleted", ({ owner }) => owner.delete("/api/account", { password: PASSWORD })],
  ])("ends for good when %s, and says no more than for a link that never was", async (_, end) => {
    const shared = await shareTrace();
    expect(await shared.isDead()).toBe(false);
    await end(shared);
    expect(await shared.isDead()).toBe(true);
    expect((await shared.read("/outline")).text).toBe(
      (await booted.client.get(`/api/shared/${"x".repeat(43)}/outline`)).text,
    );
    // Another trace with the same id is not the one that was shared.
    await shared.owner.send([shared.whole]);
    if ((await shared.owner.get("/api/shares")).json.shares?.[0]?.traceName === null)
      expect(await shared.isDead()).toBe(true);
  });

  it("stays when its trace is sent again", async () => {
    const { owner, whole, read } = await shareTrace();
    expectStatus(await owner.send([{ ...whole, name: "renamed" }]), 200);
    expect((await read("/outline")).json.name).toBe("renamed");
  });

  it.each([{ expiresAt: "2020-01-01" }, { expiresAt: "soon" }, { payloads: "no" }])(
    "is not made from the invalid body %j",
    async (body) => {
      const { owner, whole } = await shareTrace();
      expect((await owner.post(`/api/traces/${whole.id}/shares`, body)).status).toBe(400);
    },
  );

  it("cannot be guessed without end: a client has a limit", async () => {
    const headers = { "x-forwarded-for": "192.0.2.7" };
    const guess = () => booted.client.get(`/api/shared/${"y".repeat(43)}/link`, { headers });
    const guesses = await Promise.all(Array.from({ length: 201 }, guess));
    const statuses = guesses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(200);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await booted.client.get(`/api/shared/${"y".repeat(43)}/link`)).json).toEqual({ error: NO_SHARE });
  });
});
