import { Random } from "@whytrace/demo";
import { startBuiltServer } from "@whytrace/testing/built-server.ts";
import { createSession } from "@whytrace/testing/create-session.ts";
import { percentile } from "@whytrace/testing/percentile.ts";
import pg from "pg";
import type { Database } from "../server/src/db/database.ts";
import { generateSpan } from "./generate-span.ts";
import { ingestBatches } from "./ingest-batches.ts";
import { insertSenders } from "./ingest-tenants.ts";
import { KeepAliveClient } from "./keep-alive-client.ts";
import { postBatches } from "./post-batches.ts";
import { SIZES } from "./sizes.ts";
import { writeBatch } from "./write-batch.ts";

const SPANS = 10_000;

export interface LargeTraceMetrics {
  serviceP50Ms: number;
  bareP50Ms: number;
  megabytes: number;
}

/** Measures reading a trace of 10,000 spans: from the server, and with plain queries and JSON.stringify. */
export async function measureLargeTrace(
  databaseUrl: string,
  db: Database,
  requests: number,
): Promise<LargeTraceMetrics> {
  const [sender] = await insertSenders(db, 1);
  if (!sender) throw new Error("No tenant");
  const server = await startBuiltServer(databaseUrl);
  const bare = new pg.Client(databaseUrl);
  await bare.connect();
  try {
    const [batch] = ingestBatches({ tenants: [sender], seed: 7, idSeed: 7_000, traceCount: 1, batchSize: 1 });
    const [trace] = batch?.traces ?? [];
    if (!trace) throw new Error("No trace");
    const random = new Random(8);
    const spans = Array.from({ length: SPANS }, (_, index) =>
      generateSpan(random, SIZES.small, {
        parentSpanId: index === 0 ? null : (trace.spans[0]?.id ?? null),
        startedAt: trace.startedAt + index,
        durationMs: 5,
        isFailed: false,
      }),
    );
    await postBatches(
      [server.url],
      [{ key: sender.key, body: writeBatch([{ ...trace, spans }]), count: 1 }],
      1,
    );
    const client = new KeepAliveClient(server.url, {
      cookie: `whytrace_session=${await createSession(db, sender.userId)}`,
    });
    const variants = {
      service: async () => (await client.send(`/api/traces/${trace.id}`)).text,
      bare: () => readWithPlainQueries(bare, sender.userId, trace.id),
    };
    const times = { service: [] as number[], bare: [] as number[] };
    let bytes = 0;
    for (let request = 0; request < requests + 3; request += 1)
      for (const variant of ["service", "bare"] as const) {
        const startedAt = performance.now();
        const text = await variants[variant]();
        const tookMs = performance.now() - startedAt;
        if (variant === "service") bytes = Buffer.byteLength(text);
        if (request >= 3) times[variant].push(tookMs);
      }
    client.close();
    return {
      serviceP50Ms: percentile(times.service, 0.5),
      bareP50Ms: percentile(times.bare, 0.5),
      megabytes: bytes / 1e6,
    };
  } finally {
    await bare.end();
    await server.stop();
  }
}

async function readWithPlainQueries(client: pg.Client, userId: string, traceId: string): Promise<string> {
  const read = async (table: string, key: string) =>
    (await client.query(`select * from ${table} where user_id = $1 and ${key} = $2`, [userId, traceId])).rows;
  const [trace] = await read("traces", "id");
  const spans = await read("spans", "trace_id");
  const decisionPoints = await read("decision_points", "trace_id");
  const events = await read("events", "trace_id");
  return JSON.stringify({ ...trace, spans, decisionPoints, events });
}
