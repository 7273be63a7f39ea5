import { at, bootWithListedTraces, listedTraces } from "@whytrace/testing/samples/listed-traces.ts";
import { decision, event, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { describe, expect, it } from "vitest";

const { user, other, get } = await bootWithListedTraces();

describe("GET /api/traces", () => {
  it("returns the caller's 20 newest traces, each with its stored fields and counts and nothing else", async () => {
    const page = await get("/api/traces");
    expect(page).toMatchObject({ total: 25, page: 1, limit: 20, totalPages: 2 });
    expect(page.traces.map((row: { name: string }) => row.name)).toEqual(
      listedTraces
        .toReversed()
        .slice(0, 20)
        .map((sent) => sent.name),
    );
    expect(page.traces[0]).toEqual({
      id: listedTraces[24]?.id,
      userId: user.workspaceId,
      name: "Run 24",
      sessionId: null,
      status: "COMPLETED",
      tags: [],
      metadata: null,
      totalCost: 0.24,
      totalTokens: null,
      totalDuration: 24,
      startedAt: at(24),
      endedAt: null,
      createdAt: expect.any(String),
      _count: { decisionPoints: 0, spans: 0, events: 0 },
    });
  });

  it.each(["newest", "oldest", "longest", "shortest", "costliest"])(
    "%s: the pages together contain every trace once, in order",
    async (sort) => {
      for (const limit of [1, 3, 7, 25]) {
        const ids: string[] = [];
        for (let page = 1; page <= Math.ceil(25 / limit); page += 1)
          ids.push(
            ...(await get(`/api/traces?sort=${sort}&limit=${limit}&page=${page}`)).traces.map(
              (row: { id: string }) => row.id,
            ),
          );
        expect(ids).toEqual(
          (await get(`/api/traces?sort=${sort}&limit=100`)).traces.map((row: { id: string }) => row.id),
        );
      }
    },
  );

  it("returns empty pages after the last one", async () => {
    for (const page of ["3", "99", "9007199254740991", "99999999999999999999"])
      expect(await get(`/api/traces?page=${page}&limit=100`)).toMatchObject({ traces: [], total: 25 });
  });

  it.each([
    ["page=0", "Invalid page parameter. Must be a positive integer."],
    ["page=1.5", "Invalid page parameter. Must be a positive integer."],
    ["page=1&page=2", "Invalid page parameter. Must be a positive integer."],
    ["limit=101", "Invalid limit parameter. Must be between 1 and 100."],
    ["limit=ten&page=1", "Invalid limit parameter. Must be between 1 and 100."],
    ["sort=x&limit=0&page=0", "Invalid page parameter. Must be a positive integer."],
    ["status=done", "Invalid status. Must be one of: RUNNING, COMPLETED, ERROR"],
    ["sort=constructor", "Invalid sort. Must be one of: newest, oldest, longest, shortest, costliest"],
    ["dateFrom=soon", "Invalid dateFrom parameter. Must be a valid ISO date string."],
    ["dateTo=%2B275760-09-14T00:00:00Z", "Invalid dateTo parameter. Must be a valid ISO date string."],
    ["search=a&search=b", "search: must be given once"],
    ["search=%00", "Text must not contain NUL characters"],
  ])("%s is 400", async (query, error) => {
    const response = await user.get(`/api/traces?${query}`);
    expect([response.status, response.json]).toEqual([400, { error }]);
  });

  it("filters by creation time inclusively, to the millisecond", async () => {
    const { createdAt } = (await get("/api/traces?limit=1")).traces[0];
    const shifted = (ms: number) => new Date(Date.parse(createdAt) + ms).toISOString();
    expect((await get(`/api/traces?dateFrom=${createdAt}&dateTo=${createdAt}`)).total).toBe(25);
    expect((await get(`/api/traces?dateFrom=${shifted(1)}`)).total).toBe(0);
    expect((await get(`/api/traces?dateTo=${shifted(-1)}`)).total).toBe(0);
    expect((await get("/api/traces?dateFrom=2020-01-01")).total).toBe(25);
  });
});

describe("one trace", () => {
  it("as an outline has every field except inputs, outputs, metadata and context snapshots", async () => {
    const sent = listedTraces[23];
    const whole = await get(`/api/traces/${sent?.id}`);
    const without = (record: object, ...fields: string[]) =>
      Object.fromEntries(Object.entries(record).filter(([key]) => !fields.includes(key)));
    expect(await get(`/api/traces/${sent?.id}/outline`)).toEqual({
      ...without(whole, "metadata"),
      spans: whole.spans.map((one: object) => without(one, "input", "output", "metadata")),
      decisionPoints: whole.decisionPoints.map((one: object) => without(one, "contextSnapshot")),
      events: whole.events.map((one: object) => without(one, "metadata")),
    });
  });

  it("returns each child with the payloads that the outline omits", async () => {
    const one = trace({
      spans: [span({ input: { a: 1 } })],
      decisionPoints: [decision({ contextSnapshot: { turn: 3 } })],
      events: [event({ metadata: ["m"] })],
    });
    await user.send([one]);
    const whole = await get(`/api/traces/${one.id}`);
    for (const [path, record] of [
      ["spans", whole.spans[0]],
      ["decision-points", whole.decisionPoints[0]],
      ["events", whole.events[0]],
    ] as const) {
      expect(await get(`/api/traces/${one.id}/${path}/${record.id}`)).toEqual(record);
      expect((await user.get(`/api/traces/${one.id}/${path}/unknown`)).status).toBe(404);
    }
    await user.delete(`/api/traces/${one.id}`);
  });

  it("of another user gets the same response, byte for byte, as one that does not exist", async () => {
    for (const [path, method] of [
      ["", "GET"],
      ["/outline", "GET"],
      ["/spans/x", "GET"],
      ["/decision-points/x", "GET"],
      ["/events/x", "GET"],
      ["", "DELETE"],
    ] as const) {
      const foreign = await other.request(method, `/api/traces/${listedTraces[0]?.id}${path}`);
      const unknown = await other.request(method, `/api/traces/unknown${path}`);
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    }
  });

  it("can be stored again by any user after it is deleted", async () => {
    const sent = trace({ spans: [span()] });
    await user.send([sent]);
    expect((await user.delete(`/api/traces/${sent.id}`)).json).toEqual({ success: true });
    expect((await user.delete(`/api/traces/${sent.id}`)).status).toBe(404);
    expect((await other.send([sent])).json).toEqual({ success: true, count: 1 });
    expect((await other.delete(`/api/traces/${sent.id}`)).status).toBe(200);
  });
});
