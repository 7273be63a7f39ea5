import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  decision,
  event,
  newSender,
  type Sender,
  sendAs,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { volume } from "@whytrace/testing/volume.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";

let booted: Booted;
let alice: Sender;
beforeAll(async () => {
  booted = await boot();
  alice = await newSender(booted.client, booted.db);
});

const RUNS = volume(25, 8);
const ids = (prefix: string, most: number) =>
  fc
    .uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: most })
    .map((list) => list.map((n) => prefix + n));
const few = fc.constantFrom("a", "b", "c");
/** Versions of one trace: children come, go, move and change; the name and the status do too. */
const version = fc.record({
  name: fc.constantFrom("one", "two"),
  status: fc.constantFrom("RUNNING", "RUNNING", "RUNNING", "COMPLETED"),
  spans: fc.tuple(ids("s", 6), few),
  decisions: fc.tuple(ids("d", 4), few, fc.constantFrom("ROUTING", "PLANNING"), fc.constantFrom("s1", "s2")),
  events: fc.tuple(ids("e", 3), few),
});

async function rowsOf(id: string) {
  const { rows } = await sql<{ table: string; id: string; xmin: string }>`
    select 'spans' as table, id, xmin::text from spans where trace_id = ${id}
    union all select 'decisions', id, xmin::text from decision_points where trace_id = ${id}
    union all select 'events', id, xmin::text from events where trace_id = ${id}`.execute(booted.db);
  return new Map(rows.map((row) => [`${row.table} ${row.id}`, row.xmin]));
}

const large = (id: string, spans: number, spanName = "call model") =>
  trace({
    id,
    status: "RUNNING",
    spans: Array.from({ length: spans }, (_, n) => span({ id: `s${n}`, name: spanName, input: { n } })),
    decisionPoints: [decision({ id: "d0", parentSpanId: "s2" })],
    events: [event({ id: "e0" })],
  });

async function spanNames(id: string): Promise<Set<string>> {
  const { json } = await alice.get(`/api/traces/${id}`);
  return new Set(json.spans.map(({ name }: { name: string }) => name));
}

describe("a running trace that is sent again", () => {
  it("is what was last sent, however its versions differ", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(version, { minLength: 2, maxLength: 6 }), async (versions) => {
        const id = randomUUID();
        const sender = await newSender(booted.client, booted.db);
        for (const { name, status, spans, decisions, events } of versions) {
          const [spanIds, input] = spans;
          const [decisionIds, chosen, type, parentSpanId] = decisions;
          const sent = trace({
            id,
            name,
            status,
            spans: spanIds.map((one) => span({ id: one, input })),
            decisionPoints: decisionIds.map((one) => decision({ id: one, chosen, type, parentSpanId })),
            events: events[0].map((one) => event({ id: one, metadata: events[1] })),
          });
          expect((await sender.send([sent])).status).toBe(200);
          const { json } = await sender.get(`/api/traces/${id}`);
          expect(json).toMatchObject({
            name,
            status,
            spans: sent.spans,
            decisionPoints: decisionIds.map((one) => ({
              id: one,
              chosen,
              type,
              parentSpanId: spanIds.includes(parentSpanId) ? parentSpanId : null,
            })),
            events: sent.events,
          });
          expect([json.spans.length, json.decisionPoints.length, json.events.length]).toEqual([
            spanIds.length,
            decisionIds.length,
            events[0].length,
          ]);
          // Kept totals and the search know of the same decision points.
          expect((await sender.get(`/api/decisions?type=${type}`)).json.total).toBe(decisionIds.length);
          expect((await sender.get(`/api/decisions?search=${name}`)).json.total).toBe(decisionIds.length);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("leaves rows that did not change where they are, and writes the one that is new", async () => {
    const id = randomUUID();
    await alice.send([large(id, 20)]);
    const before = await rowsOf(id);
    await alice.send([large(id, 21)]);
    const after = await rowsOf(id);
    expect(after.size).toBe(before.size + 1);
    for (const [row, xmin] of before) expect(after.get(row)).toBe(xmin);
  });

  it("writes a decision point anew when its parent span appears, and all of them with the trace's new name", async () => {
    const id = randomUUID();
    await alice.send([large(id, 2)]);
    const before = await rowsOf(id);
    await alice.send([large(id, 3)]);
    const resolved = await rowsOf(id);
    expect(resolved.get("decisions d0")).not.toBe(before.get("decisions d0"));
    expect(resolved.get("spans s0")).toBe(before.get("spans s0"));
    await alice.send([{ ...large(id, 3), name: "renamed" }]);
    const renamed = await rowsOf(id);
    expect(renamed.get("decisions d0")).not.toBe(resolved.get("decisions d0"));
    expect(renamed.get("spans s0")).toBe(before.get("spans s0"));
  });

  it("tells a parent that is missing from a span of that name", async () => {
    const id = randomUUID();
    const sent = (spans: unknown[]) =>
      trace({ id, status: "RUNNING", spans, decisionPoints: [decision({ id: "d0", parentSpanId: "null" })] });
    const others = Array.from({ length: 4 }, (_, n) => span({ id: `s${n}` }));
    await alice.send([sent(others)]);
    await alice.send([sent([...others, span({ id: "null" })])]);
    const { json } = await alice.get(`/api/traces/${id}`);
    expect(json.decisionPoints[0].parentSpanId).toBe("null");
  });

  it("is written whole after another version of the service wrote its manifest", async () => {
    const id = randomUUID();
    await alice.send([large(id, 12)]);
    const before = await rowsOf(id);
    const { rows } = await sql<{ hashes: Buffer }>`
      select hashes from trace_manifests where trace_id = ${id}`.execute(booted.db);
    const hashes = Buffer.from(rows[0]?.hashes ?? []);
    const version = hashes.length - 1;
    hashes.writeUInt8(hashes.readUInt8(version) + 1, version);
    const hash = createHash("sha1").update(hashes).digest().subarray(0, 8);
    await sql`
      with changed as (update trace_manifests set hashes = ${hashes} where trace_id = ${id})
      update traces set manifest_hash = ${hash} where id = ${id}`.execute(booted.db);
    await alice.send([large(id, 12)]);
    const after = await rowsOf(id);
    expect(after.get("spans s0")).not.toBe(before.get("spans s0"));
    expect(after.size).toBe(before.size);
  });

  it("is what was last sent after it waited for another write, and after a restore that made all rows equally old", async () => {
    const id = randomUUID();
    await alice.send([large(id, 12)]);
    const { waiting } = await booted.db.transaction(async (trx) => {
      await sql`update traces set name = name where workspace_id = ${alice.workspaceId} and id = ${id}`.execute(
        trx,
      );
      const waiting = alice.send([{ ...large(id, 12, "other"), status: "COMPLETED" }]);
      await sleep(300);
      return { waiting };
    });
    expect((await waiting).status).toBe(200);
    // Like pg_restore, writes every row in one transaction.
    await booted.db.transaction(async (trx) => {
      await sql`update traces set name = name where id = ${id}`.execute(trx);
      await sql`update trace_manifests set hashes = hashes where trace_id = ${id}`.execute(trx);
    });
    await alice.send([large(id, 12)]);
    expect(await spanNames(id)).toEqual(new Set(["call model"]));
  });

  it("is what one of two servers sent, if both sent it at once", async () => {
    const id = randomUUID();
    await alice.send([large(id, 12)]);
    const there = await boot({ DATABASE_URL: booted.databaseUrl });
    for (let round = 0; round < 10; round += 1) {
      const names = [`a${round}`, `b${round}`];
      const [a, b] = names.map((name) => large(id, 12, name));
      await Promise.all([alice.send([a]), sendAs(there.client, alice.key, { traces: [b] })]);
      const stored = [...(await spanNames(id))];
      expect(stored).toHaveLength(1);
      expect(names).toContain(stored[0]);
    }
  });

  it("has no manifest once it is complete or gone", async () => {
    const [complete, gone] = [randomUUID(), randomUUID()];
    await alice.send([large(complete, 12), large(gone, 12)]);
    await alice.send([{ ...large(complete, 12), status: "COMPLETED" }]);
    await alice.delete(`/api/traces/${gone}`);
    const { rows } = await sql`
      select from trace_manifests where trace_id in (${complete}, ${gone})`.execute(booted.db);
    expect(rows).toHaveLength(0);
  });
});
