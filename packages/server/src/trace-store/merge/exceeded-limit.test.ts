import { otlpAttributes } from "@whytrace/testing/otlp/otlp-samples.ts";
import {
  logsRequest,
  nanos,
  type OtlpSpanJson,
  otlpId,
  otlpSpan,
  sendOtlp,
  spansRequest,
} from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { exceededLimit } from "./exceeded-limit.ts";

const { client, db } = await boot();

/** A trace that already has so much. Only its counts say it: no piece reads the trace. */
async function grownTrace(
  user: Sender,
  size: { spans?: number; events?: number; bytes?: number; facts?: number },
) {
  const id = otlpId(16);
  const first = otlpSpan(id, {}, { parentSpanId: "00000000000000aa" });
  await send(user, [first]);
  const { spans = 1, events = 0, bytes = 0, facts = 0 } = size;
  await sql`
    update traces set span_count = ${spans}, event_count = ${events}, merge_state = (merge_state::jsonb ||
      jsonb_build_object('bytes', ${bytes}::bigint, 'factsBytes', ${facts}::bigint, 'derivedSpans', ${spans}::integer))::json
    where id = ${id}`.execute(db);
  return { id, first };
}

const send = (user: Sender, spans: OtlpSpanJson[]) => sendOtlp(client, user.key, spansRequest(spans));
const rowsOf = async (table: string, traceId: string) =>
  (await sql`select from ${sql.table(table)} where trace_id = ${traceId}`.execute(db)).rows.length;

describe("a trace that has almost as much as it may have", () => {
  it("takes spans up to 100,000, and says how many it does not take and why", async () => {
    const user = await newSender(client, db);
    const { id, first } = await grownTrace(user, { spans: 99_998 });
    const spans = Array.from({ length: 3 }, () => otlpSpan(id, {}, { parentSpanId: first.spanId }));
    const { status, json } = await send(user, spans);
    expect([status, json]).toEqual([
      200,
      {
        partialSuccess: {
          rejectedSpans: "3",
          errorMessage: "3 spans rejected: a trace may have 100,000 spans",
        },
      },
    ]);
    expect(await rowsOf("spans", id)).toBe(1);
    expect((await send(user, spans.slice(0, 2))).json).toEqual({});
    expect(await rowsOf("spans", id)).toBe(3);
    // A span that is there already takes no room.
    expect((await send(user, [first])).json).toEqual({});
    expect((await send(user, spans.slice(2))).json.partialSuccess.rejectedSpans).toBe("1");
    const { rows } = await sql`select span_count from traces where id = ${id}`.execute(db);
    expect(rows).toEqual([{ spanCount: 100_000 }]);
  });

  it("is exact when pieces come at once, and other traces of their requests are stored", async () => {
    const user = await newSender(client, db);
    const { id, first } = await grownTrace(user, { spans: 99_990 });
    const others = Array.from({ length: 20 }, () => otlpSpan(otlpId(16)));
    const responses = await Promise.all(
      others.map((other) => send(user, [other, otlpSpan(id, {}, { parentSpanId: first.spanId })])),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(responses.filter(({ json }) => json.partialSuccess)).toHaveLength(10);
    expect(await rowsOf("spans", id)).toBe(11);
    for (const other of others) expect((await user.get(`/api/traces/${other.traceId}`)).status).toBe(200);
  });

  it("takes events up to 100,000, and those of a span that comes again replace the ones before", async () => {
    const user = await newSender(client, db);
    const { id, first } = await grownTrace(user, { events: 99_998 });
    const note = { name: "note", timeUnixNano: nanos(0) };
    const withEvents = (count: number) => ({ ...first, events: Array(count).fill(note) });
    expect((await send(user, [withEvents(3)])).json.partialSuccess).toEqual({
      rejectedSpans: "1",
      errorMessage: "1 span rejected: a trace may have 100,000 events",
    });
    expect((await send(user, [withEvents(2)])).json).toEqual({});
    expect((await send(user, [withEvents(2)])).json).toEqual({});
    expect(await rowsOf("events", id)).toBe(2);
  });

  it("ends with its root, whose attributes and events it has no room for", async () => {
    const user = await newSender(client, db);
    const { id, first } = await grownTrace(user, { spans: 100_000, events: 100_000 });
    const stored = async () => {
      const { json } = await user.get(`/api/traces/${id}`);
      return { name: json.name, status: json.status };
    };
    expect((await stored()).status).toBe("RUNNING");
    const note = { name: "note", timeUnixNano: nanos(0) };
    const root = otlpSpan(id, { text: "long" }, { name: "refund", status: { code: 2 }, events: [note] });
    const child = otlpSpan(id, {}, { parentSpanId: first.spanId });
    // Both are rejected, as there is no room; what ends the trace is kept.
    expect((await send(user, [child, root])).json.partialSuccess.rejectedSpans).toBe("2");
    // So large a trace is derived later.
    await expect.poll(stored).toEqual({ name: "refund", status: "ERROR" });
    expect([await rowsOf("spans", id), await rowsOf("events", id)]).toEqual([2, 0]);
    // There is room for one root only, and a span that is there already takes none.
    expect((await send(user, [first])).json).toEqual({});
    expect((await send(user, [otlpSpan(id)])).json.partialSuccess.rejectedSpans).toBe("1");
    expect(await rowsOf("spans", id)).toBe(2);
  });

  it("takes payloads up to 128 MiB, and log records up to 32 MiB", async () => {
    const user = await newSender(client, db);
    const MIB = 1024 * 1024;
    const large = await grownTrace(user, { bytes: 128 * MIB - 500 });
    const text = (length: number) =>
      otlpSpan(large.id, { text: "x".repeat(length) }, { parentSpanId: large.first.spanId });
    expect((await send(user, [text(1_000)])).json.partialSuccess.errorMessage).toBe(
      "1 span rejected: a trace may have 128 MiB of payloads",
    );
    expect((await send(user, [text(100)])).json).toEqual({});

    const logged = await grownTrace(user, { facts: 32 * MIB - 500 });
    const log = (length: number) =>
      logsRequest([
        {
          traceId: logged.id,
          spanId: logged.first.spanId,
          eventName: "gen_ai.user.message",
          attributes: otlpAttributes({ content: "x".repeat(length) }),
        },
      ]);
    const { json } = await sendOtlp(client, user.key, log(1_000), "logs");
    expect(json.partialSuccess).toEqual({
      rejectedLogRecords: "1",
      errorMessage: "1 log record rejected: a trace may have 32 MiB of log records, tool calls and decisions",
    });
    expect((await sendOtlp(client, user.key, log(100), "logs")).json).toEqual({});
  });
});

it("allows each limit and nothing above it", () => {
  const most = { spans: 100_000, events: 100_000, bytes: 128 * 1024 ** 2, factsBytes: 32 * 1024 ** 2 };
  expect(exceededLimit(most)).toBeUndefined();
  for (const key of ["spans", "events", "bytes", "factsBytes"] as const)
    expect(exceededLimit({ ...most, [key]: most[key] + 1 })).toContain("a trace may have");
});
