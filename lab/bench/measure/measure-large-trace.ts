import type { ParsedTrace } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import type { DurablePostgres } from "@whytrace/testing/postgres/durable-postgres.ts";
import { createSession } from "@whytrace/testing/samples/create-session.ts";
import { startBuiltServer } from "@whytrace/testing/server/built-server.ts";
import pg from "pg";
import { prepareBareCopy } from "../bare-copy.ts";
import { generateBatches } from "../generate/generate-batches.ts";
import { generateConversation } from "../generate/generate-conversation.ts";
import { generateSpan } from "../generate/generate-span.ts";
import { SIZES } from "../generate/sizes.ts";
import type { Sender } from "../ingest-tenants.ts";
import { KeepAliveClient } from "../keep-alive-client.ts";
import { postBatches } from "../post-batches.ts";
import { createStore } from "../store.ts";
import { writeBatch } from "../write-batch.ts";
import { findPostmaster } from "./cpu-time.ts";
import { type ReadTimes, TimedRead } from "./timed-read.ts";

const SPANS = 10_000;
/** Just below the limit of a request. */
const MAX_BODY_BYTES = 9.7 * 1024 * 1024;
const SPAN_REQUESTS = 300;

export interface LargeTraceMetrics {
  /** A trace of 10,000 spans. */
  manySpans: { service: ReadTimes; bare: ReadTimes; outline: ReadTimes };
  /** A conversation just below the limit of a request. */
  largeConversation: {
    spans: number;
    jsonBytes: number;
    service: ReadTimes;
    bare: ReadTimes;
    outline: ReadTimes;
    span: ReadTimes;
  };
}

/**
 * Measures reading a trace of 10,000 spans and a conversation of 9.7 MiB: from the server, and with plain queries of unpacked
 * rows in another database and JSON.stringify.
 */
export async function measureLargeTrace(
  postgres: DurablePostgres,
  requests: number,
): Promise<LargeTraceMetrics> {
  const store = await createStore(postgres, 1);
  const copy = await createStore(postgres, 1, "unpacked");
  const server = await startBuiltServer(store.url);
  const bare = new pg.Client(copy.url);
  await bare.connect();
  try {
    const [sender] = store.senders;
    if (!sender) throw new Error("No tenant");
    const traces = { manySpans: traceOfManySpans(sender), conversation: largeConversation(sender) };
    for (const trace of Object.values(traces)) {
      await postBatches([server.url], [{ key: sender.key, body: writeBatch([trace]), count: 1 }], 1);
      const rows = await prepareBareCopy(
        copy.url,
        [{ tenant: sender, traces: [trace] }],
        "unpacked",
        copy.types,
      );
      await rows.run();
      await rows.remove();
    }
    const client = new KeepAliveClient(server.url, {
      cookie: `whytrace_session=${await createSession(store.db, sender.workspaceId)}`,
    });
    const postmaster = await findPostmaster(store.url);
    const served = (path: (request: number) => string) =>
      new TimedRead(async (request) => (await client.send(path(request))).text, {
        reader: server.pid,
        postmaster,
      });
    const measureWhole = async ({ id }: ParsedTrace) => {
      const service = served(() => `/api/traces/${id}`);
      const plain = new TimedRead(() => readWithPlainQueries(bare, sender.workspaceId, id), {
        reader: process.pid,
        postmaster,
      });
      const outline = served(() => `/api/traces/${id}/outline`);
      await TimedRead.interleave([service, plain, outline], requests);
      return { service: service.times(), bare: plain.times(), outline: outline.times() };
    };
    const { conversation } = traces;
    const spanPath = (request: number) =>
      `/api/traces/${conversation.id}/spans/${conversation.spans[(request * 37) % conversation.spans.length]?.id}`;
    const manySpans = await measureWhole(traces.manySpans);
    const whole = await measureWhole(conversation);
    const span = served(spanPath);
    await TimedRead.interleave([span], SPAN_REQUESTS);
    client.close();
    return {
      manySpans,
      largeConversation: {
        spans: conversation.spans.length,
        jsonBytes: writeBatch([conversation]).length,
        ...whole,
        span: span.times(),
      },
    };
  } finally {
    await bare.end();
    await server.stop();
    await store.drop();
    await copy.drop();
  }
}

function emptyTrace(sender: Sender, idSeed: number): ParsedTrace {
  const plan = { tenants: [sender], seed: 7, idSeed, traceCount: 1, batchSize: 1, size: "full" as const };
  const [batch] = generateBatches(plan);
  const [trace] = batch?.traces ?? [];
  if (!trace) throw new Error("No trace");
  return { ...trace, status: "COMPLETED", endedAt: trace.startedAt + 60_000 };
}

function traceOfManySpans(sender: Sender): ParsedTrace {
  const trace = emptyTrace(sender, 7_000);
  const random = new Random(8);
  const spans = Array.from({ length: SPANS }, (_, index) =>
    generateSpan(random, SIZES.small, {
      parentSpanId: index === 0 ? null : (trace.spans[0]?.id ?? null),
      startedAt: trace.startedAt + index,
      durationMs: 5,
      isFailed: false,
    }),
  );
  return { ...trace, spans };
}

/** The conversation with the most steps that fits into a request. */
function largeConversation(sender: Sender): ParsedTrace {
  const trace = emptyTrace(sender, 7_001);
  let largest = trace;
  for (let steps = 60; ; steps += 1) {
    const { startedAt } = trace;
    const spans = generateConversation(new Random(9), {
      kind: "coding",
      steps,
      startedAt,
      durationMs: 60_000,
      status: "COMPLETED",
    });
    const grown = { ...trace, spans };
    if (writeBatch([grown]).length > MAX_BODY_BYTES) return largest;
    largest = grown;
  }
}

async function readWithPlainQueries(
  client: pg.Client,
  workspaceId: string,
  traceId: string,
): Promise<string> {
  const read = async (table: string, key: string) =>
    (
      await client.query(`select * from ${table} where workspace_id = $1 and ${key} = $2`, [
        workspaceId,
        traceId,
      ])
    ).rows;
  const [trace] = await read("traces", "id");
  const spans = await read("spans", "trace_id");
  const decisionPoints = await read("decision_points", "trace_id");
  const events = await read("events", "trace_id");
  return JSON.stringify({ ...trace, spans, decisionPoints, events });
}
