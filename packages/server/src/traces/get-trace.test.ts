import { randomBytes } from "node:crypto";
import { otlpAttributes } from "@whytrace/testing/otlp/otlp-samples.ts";
import { nanos, otlpId, otlpSpan, sendOtlp, spansRequest } from "@whytrace/testing/otlp/sample-otlp.ts";
import { decision, event, newSender, sendAs, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { Connections } from "../db/connections.ts";
import { getTrace, type StreamedTrace } from "./get-trace.ts";

const MIB = 1024 * 1024;
const { client, db, databaseUrl } = await boot();
const connections = new Connections(databaseUrl, {
  account: 1,
  read: 2,
  readPerWorkspace: 2,
  readSecondsPerMinute: 1_000,
  write: 1,
  writePerWorkspace: 1,
  isSharded: false,
});
afterAll(() => connections.end());
const { reads } = connections;
const user = await newSender(client, db);

/** Reads to the end; says how many bytes were in memory at most, and what was read. */
async function readAll(stored: StreamedTrace | undefined) {
  const pieces: Buffer[] = [];
  let maxBytes = 0;
  for await (const chunk of stored?.chunks() ?? []) {
    const bytes = chunk.reduce((sum, piece) => sum + piece.length, 0);
    maxBytes = Math.max(maxBytes, bytes + (stored?.heldBytes ?? 0));
    pieces.push(...chunk.map((piece) => Buffer.from(piece)));
  }
  return { maxBytes, json: JSON.parse(Buffer.concat(pieces).toString()) };
}

/** A payload that cannot be compressed. */
const payload = (bytes: number) => randomBytes(bytes).toString("base64");

describe("a trace that came in pieces", async () => {
  const id = otlpId(16);
  const texts = Array.from({ length: 16 }, () => payload(1_000_000));
  const spanIds = texts.map(() => otlpId(8));
  const pieceOf = (indexes: number[], suffix = "") =>
    spansRequest(
      indexes.map((index) =>
        otlpSpan(id, { text: `${texts[index]}${suffix}` }, { spanId: spanIds[index], name: `span ${index}` }),
      ),
    );
  for (let first = 0; first < texts.length; first += 4)
    expectStatus(await sendOtlp(client, user.key, pieceOf([first, first + 1, first + 2, first + 3])), 200);

  it("is read slice by slice, and is whole", async () => {
    const stored = await getTrace(reads, user.workspaceId, id, "whole");
    const { json, maxBytes } = await readAll(stored);
    expect(json.spans.map(({ name }: { name: string }) => name)).toEqual(texts.map((_, n) => `span ${n}`));
    expect(json.spans.map(({ metadata }: { metadata: { text: string } }) => metadata.text)).toEqual(texts);
    expect(maxBytes).toBeLessThan(16 * MIB);
  });

  it("is whole if spans are sent again in another order, so that their payloads lie in other parts", async () => {
    for (const indexes of [
      [12, 3, 7],
      [0, 15, 3],
    ])
      expectStatus(await sendOtlp(client, user.key, pieceOf(indexes, " again")), 200);
    const again = new Set([12, 3, 7, 0, 15]);
    const { json, maxBytes } = await readAll(await getTrace(reads, user.workspaceId, id, "whole"));
    expect(json.spans.map(({ metadata }: { metadata: { text: string } }) => metadata.text)).toEqual(
      texts.map((text, index) => `${text}${again.has(index) ? " again" : ""}`),
    );
    expect(maxBytes).toBeLessThan(16 * MIB);
  });

  it("is read while it goes on: what comes meanwhile is left out", async () => {
    let added = 0;
    const addSpan = async () => {
      const later = otlpSpan(id, { text: "later" }, { parentSpanId: spanIds[0], name: `later ${added}` });
      expectStatus(await sendOtlp(client, user.key, spansRequest([later])), 200);
      added += 1;
    };
    for (let n = 0; n < 3; n += 1) await addSpan();
    const decided = {
      name: "whytrace.decision",
      timeUnixNano: nanos(1),
      attributes: otlpAttributes({ "whytrace.decision.chosen": "a" }),
    };
    const first = otlpSpan(id, {}, { parentSpanId: spanIds[0], events: [decided] });
    expectStatus(await sendOtlp(client, user.key, spansRequest([first])), 200);
    const before = (await readAll(await getTrace(reads, user.workspaceId, id, "whole"))).json;
    const stored = await getTrace(reads, user.workspaceId, id, "whole");
    const pieces: Buffer[] = [];
    for await (const chunk of stored?.chunks() ?? []) {
      pieces.push(...chunk.map((piece) => Buffer.from(piece)));
      // So many small pieces that they are packed together, with the small parts before them.
      for (let n = 0; n < 3; n += 1) await addSpan();
      // Stands for spans by which stored decisions become others.
      await sql`update decision_points set position = position + 1 where trace_id = ${id}`.execute(db);
    }
    expect(before.decisionPoints).toHaveLength(1);
    expect(added).toBeGreaterThan(32);
    expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual(before);
    const after = await readAll(await getTrace(reads, user.workspaceId, id, "whole"));
    expect(after.json.spans).toHaveLength(texts.length + 1 + added);
    expect(after.maxBytes).toBeLessThan(16 * MIB);
  });

  it("breaks off if what is not read yet changes: half of each state would be neither", async () => {
    const stored = await getTrace(reads, user.workspaceId, id, "whole");
    const chunks = stored?.chunks();
    expect((await chunks?.next())?.done).toBe(false);
    expectStatus(await sendOtlp(client, user.key, pieceOf([15], " changed")), 200);
    const readOn = async () => {
      while (!(await chunks?.next())?.done);
    };
    await expect(readOn()).rejects.toThrow("The trace changed while it was read");
  });
});

describe("a trace with many records", async () => {
  const many = trace({
    metadata: { of: "the trace" },
    spans: Array.from({ length: 30_000 }, (_, n) =>
      span({ id: `s${n}`, ...(n % 7 === 0 && { input: { n } }) }),
    ),
    decisionPoints: Array.from({ length: 500 }, (_, n) =>
      decision({ id: `d${n}`, contextSnapshot: { n }, chosen: { name: "a", arguments: n } }),
    ),
    events: Array.from({ length: 3_000 }, (_, n) => event({ id: `e${n}`, metadata: { n } })),
  });
  const few = { ...many, id: `${many.id}-few`, spans: many.spans.slice(0, 50) };
  for (const one of [many, few]) expectStatus(await sendAs(client, user.key, { traces: [one] }), 200);

  it.each(["whole", "outline", "withoutPayloads"] as const)(
    "is the same as a small one: %s",
    async (detail) => {
      const [large, small] = [
        await readAll(await getTrace(reads, user.workspaceId, many.id, detail)),
        await readAll(await getTrace(reads, user.workspaceId, few.id, detail)),
      ];
      expect(large.json.spans).toHaveLength(30_000);
      expect(large.json.spans.map(({ id }: { id: string }) => id)).toEqual(many.spans.map(({ id }) => id));
      expect({ ...large.json, id: few.id, createdAt: "", spans: large.json.spans.slice(0, 50) }).toEqual({
        ...small.json,
        createdAt: "",
      });
      expect(large.maxBytes).toBeLessThan(10 * MIB);
    },
  );

  it("is found by its user only, and by when it was stored", async () => {
    const other = await newSender(client, db);
    expect(await getTrace(reads, other.workspaceId, many.id, "outline")).toBeUndefined();
    expect(
      await getTrace(reads, user.workspaceId, many.id, "whole", { storedAt: "2020-01-01" }),
    ).toBeUndefined();
    const { rows } = await sql<{ storedAt: string }>`
      select created_at::text as stored_at from traces where id = ${many.id}`.execute(db);
    const storedAt = rows[0]?.storedAt ?? "";
    expect(await getTrace(reads, user.workspaceId, many.id, "whole", { storedAt })).toBeDefined();
  });
});
