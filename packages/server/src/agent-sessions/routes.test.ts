import { randomBytes } from "node:crypto";
import { at, bootWithListedTraces } from "@whytrace/testing/samples/listed-traces.ts";
import { newSender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { describe, expect, it } from "vitest";

const { client, db, user, other, get } = await bootWithListedTraces();

describe("GET /api/sessions", () => {
  it("aggregates the caller's traces by sessionId, most recently active first", async () => {
    const page = await get("/api/sessions");
    expect(page).toMatchObject({ total: 2, page: 1, limit: 20, totalPages: 1 });
    expect(page.sessions.map((row: { sessionId: string }) => row.sessionId)).toEqual([
      "session-b",
      "session-a",
    ]);
    const session = page.sessions[1];
    expect(session).toEqual({
      sessionId: "session-a",
      traceCount: 4,
      totalCost: expect.closeTo(0.06),
      totalTokens: null,
      totalDuration: 6,
      firstStartedAt: at(0),
      lastStartedAt: at(3),
      status: "ERROR",
      outcome: "bad",
      badTraces: expect.any(Number),
      agents: ["Run 0", "Run 1", "Run 2", "Run 3"],
      firstRequest: null,
    });
    expect(await get("/api/sessions/session-a")).toEqual({ ...session, totalCost: expect.closeTo(0.06) });
    expect((await get("/api/sessions?page=2&limit=1")).sessions).toMatchObject([{ sessionId: "session-a" }]);
    expect((await user.get("/api/sessions/nothing")).status).toBe(404);
  });

  it("are bad by the outcome of their traces, whatever their status says", async () => {
    const sender = await newSender(client, db);
    const chat = [trace({ sessionId: "chat" }), trace({ sessionId: "chat", status: "ERROR" })];
    const going = trace({ sessionId: "going", status: "RUNNING" });
    await sender.send([...chat, going, trace({ sessionId: "fine" })]);
    const [answered, failed] = chat;
    const score = (traceId: unknown, name: string, value: boolean, source: string) =>
      client.request("POST", "/api/scores", {
        body: { scores: [{ traceId, name, value, source }] },
        headers: { authorization: `Bearer ${sender.key}` },
      });
    const read = async (id: string) => {
      const { status, outcome, badTraces } = (await sender.get(`/api/sessions/${id}`)).json;
      return [status, outcome, badTraces];
    };
    expect(await read("chat")).toEqual(["ERROR", "bad", 1]);
    expect(await read("going")).toEqual(["RUNNING", "open", 0]);
    expect(await read("fine")).toEqual(["COMPLETED", "good", 0]);
    expectStatus(await score(failed?.id, "review", true, "person"), 200);
    expect(await read("chat")).toEqual(["ERROR", "good", 0]);
    expectStatus(await score(answered?.id, "helpful", false, "user"), 200);
    expect(await read("chat")).toEqual(["ERROR", "bad", 1]);
  });

  it("give a sum that exceeds the range of a number as its limit", async () => {
    const traces = [1.7e308, 1.7e308].map((totalCost) => trace({ sessionId: "costly", totalCost }));
    await other.send([...traces, trace({ sessionId: "cheap", totalCost: 0.25 })]);
    const { sessions } = expectStatus(await other.get("/api/sessions"), 200).json;
    const costOf = (id: string) =>
      sessions.find(({ sessionId }: { sessionId: string }) => sessionId === id).totalCost;
    expect([costOf("costly"), costOf("cheap")]).toEqual([Number.MAX_VALUE, 0.25]);
    expect((await other.get("/api/sessions/costly")).json.totalCost).toBe(Number.MAX_VALUE);
  });

  it("names the agents in the order of their first trace, and what the first of them was asked", async () => {
    const sender = await newSender(client, db);
    const minute = (i: number, more = {}) => trace({ sessionId: "chat", startedAt: at(i), ...more });
    await sender.send([
      minute(5, { name: "second agent", spans: [span({ input: "not this" })] }),
      minute(2, {
        name: "first agent",
        spans: [
          span({ id: "child", parentSpanId: "root", input: "nor this", startedAt: at(2) }),
          span({ id: "root", input: { message: "Where is my order?" }, startedAt: at(3) }),
        ],
      }),
      minute(7, { name: "first agent" }),
      trace({ sessionId: "asked in metadata", metadata: { question: "Why?" }, spans: [span()] }),
      ...Array.from({ length: 7 }, (_, i) =>
        trace({ sessionId: "many", startedAt: at(i), name: `agent ${6 - i}` }),
      ),
    ]);
    const sessions = Object.fromEntries(
      (await sender.get("/api/sessions")).json.sessions.map((row: { sessionId: string }) => [
        row.sessionId,
        row,
      ]),
    );
    expect(sessions.chat).toMatchObject({
      agents: ["first agent", "second agent"],
      firstRequest: "Where is my order?",
    });
    expect(sessions["asked in metadata"]).toMatchObject({ firstRequest: "Why?" });
    expect(sessions.many).toMatchObject({ agents: ["agent 6", "agent 5", "agent 4", "agent 3"] });
    expect((await sender.get("/api/sessions/chat")).json).toEqual(sessions.chat);
  });

  it("takes only the beginning of a large request, and nothing from one that is too large", async () => {
    const sender = await newSender(client, db);
    const random = randomBytes(400_000).toString("hex");
    await sender.send([
      trace({
        sessionId: "long",
        spans: [
          span({ input: { messages: [{ role: "user", content: `Sum up ${"word ".repeat(400_000)}` }] } }),
        ],
      }),
      trace({ sessionId: "too large", name: "reader", spans: [span({ input: { text: random } })] }),
    ]);
    const { text, json } = await sender.get("/api/sessions");
    expect(text.length).toBeLessThan(2_000);
    expect(json.sessions).toMatchObject([
      { sessionId: "too large", agents: ["reader"], firstRequest: null },
      { sessionId: "long", firstRequest: expect.stringMatching(/^Sum up word word .*…$/) },
    ]);
  });
});
