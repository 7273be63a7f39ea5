import { FILTER_FIELDS, MAX_FILTER_VALUES } from "@whytrace/contract";
import { decision, newSender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import type { KyselyPlugin } from "kysely";
import { describe, expect, it } from "vitest";
import { listFilterValues } from "./list-filter-values.ts";

/** Counts the rows that a database returns. */
class RowCount implements KyselyPlugin {
  rows = 0;

  transformQuery: KyselyPlugin["transformQuery"] = ({ node }) => node;

  transformResult: KyselyPlugin["transformResult"] = async ({ result }) => {
    this.rows += result.rows.length;
    return result;
  };
}

describe("the values of a filter", async () => {
  const { client, db } = await boot();
  const user = await newSender(client, db);
  const startedAt = (n: number) => new Date(Date.UTC(2026, 2, 1, 0, 0, n)).toISOString();
  await user.send(
    Array.from({ length: 25 }, (_, n) =>
      trace({
        name: "agent",
        startedAt: startedAt(n),
        sessionId: `s${n % 3}`,
        tags: ["everywhere", ...Array.from({ length: 999 }, (_tag, i) => `tag ${n} ${i}`)],
        metadata: Object.fromEntries(Array.from({ length: 30 }, (_pair, i) => [`key${i}`, `${n}`])),
        spans: Array.from({ length: 40 }, (_span, i) => span({ metadata: { model: `model ${n} ${i}` } })),
        decisionPoints: Array.from({ length: 40 }, (_point, i) => decision({ chosen: `choice ${n} ${i}` })),
      }),
    ),
  );

  it.each(FILTER_FIELDS)("are counted by the database, which returns few of them: %s", async (field) => {
    const count = new RowCount();
    const values = await listFilterValues(db.withPlugin(count), user.workspaceId, field);
    expect(values.length).toBeGreaterThan(0);
    expect(count.rows).toBeLessThanOrEqual(MAX_FILTER_VALUES);
  });

  it("are the most frequent first, then in alphabetical order, of the newest traces", async () => {
    const tags = await listFilterValues(db, user.workspaceId, "tag");
    expect(tags).toHaveLength(MAX_FILTER_VALUES);
    expect(tags[0]).toBe("everywhere");
    expect(tags.slice(1)).toEqual(tags.slice(1).sort());
    // The 20,000 newest ones are counted: those of the oldest traces are not among them.
    expect(tags.filter((tag) => /^tag [0-4] /.test(tag))).toEqual([]);
    expect(await listFilterValues(db, user.workspaceId, "session")).toEqual(["s0", "s1", "s2"]);
  });
});
