import { decision, event, newSender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

describe("the queries of lists", () => {
  const paths = [
    ...["newest", "oldest", "longest", "shortest", "costliest"].flatMap((sort) => [
      `/api/traces?sort=${sort}`,
      `/api/traces?sort=${sort}&page=100`,
    ]),
    "/api/traces?status=ERROR",
    "/api/traces?search=needle",
    "/api/traces?sessionId=session-7",
    "/api/traces?tags=rare",
    "/api/traces?dateFrom=2026-01-01",
    "/api/traces?costFrom=0.9",
    "/api/traces?costTo=0.1&sort=longest",
    "/api/traces?durationFrom=900",
    "/api/traces?errorsFrom=1",
    "/api/traces?metadata.key=rare",
    "/api/traces?metadata.key=common",
    "/api/traces?agent=needle",
    "/api/traces?choice=search",
    "/api/traces?choiceType=RETRY",
    ...["agent", "model", "tag", "session", "metadata", "choice"].map((f) => `/api/filter-values?field=${f}`),
    "/api/decisions",
    "/api/decisions?type=ROUTING",
    "/api/decisions?sort=costliest",
    "/api/decisions?search=needle",
    "/api/decisions?agent=needle",
    "/api/decisions?choice=search",
    "/api/decisions?choice=search&type=ROUTING",
    "/api/decisions?outcome=failed",
    "/api/decisions?outcome=fine",
    "/api/decisions?inferred=true",
    "/api/decisions?inferred=false",
    "/api/decisions?from=2026-01-01&to=2026-02-01",
    "/api/sessions",
    "/api/sessions/session-7",
  ];

  it("never scan another tenant's rows", async () => {
    const { client, db } = await boot();
    const [big, small] = [await newSender(client, db), await newSender(client, db)];
    for (const tenant of [big, small])
      for (let batch = 0; batch < 2; batch += 1)
        await tenant.send(
          Array.from({ length: 1_000 }, (_, i) =>
            trace({
              name: i === 1 ? "needle" : "hay",
              sessionId: `session-${i}`,
              tags: [i === 1 ? "rare" : "common"],
              metadata: { key: i === 1 ? "rare" : "common" },
              totalCost: i / 1_000,
              totalDuration: i,
              spans: [span()],
              events: [event()],
              decisionPoints: [decision({ type: "ROUTING" })],
            }),
          ),
        );
    await sql`vacuum analyze`.execute(db);
    const scans = async () => {
      const { rows } = await sql<{ relname: string; seqTupRead: number }>`
        select relname, seq_tup_read from pg_stat_user_tables
        where relname in ('traces', 'decision_points', 'spans', 'events', 'trace_owners') order by relname`.execute(
        db,
      );
      return new Map(rows.map(({ relname, seqTupRead }) => [relname, seqTupRead]));
    };
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const before = await scans();
    for (const path of paths) expect((await small.get(path)).status).toBe(200);
    await small.get(`/api/traces/${(await small.get("/api/traces?limit=1")).json.traces[0].id}`);
    await small.send([trace({ spans: [span()] })]);
    // PostgreSQL flushes a connection's statistics at most once a second, after a query.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await Promise.all(Array.from({ length: 10 }, () => small.get("/api/auth/session")));
    // The server's workers look at the first rows of a table now and then.
    for (const [table, rows] of await scans())
      expect(rows - (before.get(table) ?? 0), `rows of ${table} scanned, of 4,000`).toBeLessThan(100);
  });
});
