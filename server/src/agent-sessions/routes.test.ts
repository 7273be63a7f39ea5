import { at, bootWithListedTraces } from "@whytrace/testing/listed-traces.ts";
import { describe, expect, it } from "vitest";

const { user, get } = await bootWithListedTraces();

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
    });
    expect(await get("/api/sessions/session-a")).toEqual({ ...session, totalCost: expect.closeTo(0.06) });
    expect((await get("/api/sessions?page=2&limit=1")).sessions).toMatchObject([{ sessionId: "session-a" }]);
    expect((await user.get("/api/sessions/nothing")).status).toBe(404);
  });
});
