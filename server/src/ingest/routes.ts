import { z } from "zod";
import type { Reconciler } from "../billing/reconciler.ts";
import { ByteBudget } from "../concurrency/byte-budget.ts";
import type { Config } from "../config.ts";
import type { Connections } from "../db/connections.ts";
import type { App } from "../http/app-instance.ts";
import type { Metrics } from "../http/metrics.ts";
import { readBytes, releaseBytes } from "../http/read-bytes.ts";
import { successSchema } from "../http/success.ts";
import { UserRate } from "../http/user-rate.ts";
import type { Live } from "../live/live.ts";
import { TraceStore } from "../trace-store/store-traces.ts";
import { batchCost } from "./batch-cost.ts";
import { batchSchema } from "./batch-schema.ts";
import { INGEST_ERRORS } from "./ingest-errors.ts";
import { ingestGuards, ingestKey, MAX_BODY_BYTES } from "./ingest-guards.ts";
import { IngestThread } from "./ingest-thread.ts";
import { readBatch } from "./read-batch.ts";

const DESCRIPTION = [
  "A batch is stored completely or not at all, before the response is sent. A trace with the id of one of your stored " +
    "traces replaces it with all its children, so you can send a running trace repeatedly until it is complete. A " +
    "trace with an id that belongs to another user is skipped and not counted.",
  "The body is JSON of at most 10 MiB, 256 levels of nesting and 1,000,000 values. It may be compressed with " +
    "Content-Encoding: gzip; the limits also apply after decompression. If there are several errors, the response " +
    "names the first one.",
  "Each new trace counts once towards the limit of your plan. The server also limits the requests and bytes that you " +
    "send per minute, and how many of your requests it handles at the same time: further ones wait, and are rejected if " +
    "they wait too long. A body must arrive within 30 seconds, with at least 80 KiB in every 5 seconds.",
  "In a response with status 429 or 503, the Retry-After header says when to retry. 429 means that you have sent too " +
    "much, 503 that the server has too much to do.",
].join("\n\n");

/** Bodies over this size are parsed and stored in another thread. */
const LARGE_BYTES = 256 * 1024;

export interface IngestRoutesOptions {
  config: Config;
  connections: Connections;
  live: Live;
  metrics: Metrics;
  reconciler: Reconciler;
}

export function ingestRoutes(
  app: App,
  { config, connections, live, metrics, reconciler }: IngestRoutesOptions,
) {
  const { publicUrl, memory, ingestPerMinute, packPayloads } = config;
  const store = new TraceStore({ connections, publicUrl, live, packPayloads });
  const rates = {
    requests: new UserRate("requests", ingestPerMinute.requests),
    bytes: new UserRate("bytes", ingestPerMinute.bytes, connections.recentUsers),
  };
  const maxBytesPerUser = memory.ingestBytes / 3;
  // Parsing and storing a batch takes about as much memory again as its body.
  const bodies = new ByteBudget({
    maxBytes: memory.ingestBytes,
    maxBytesPerUser,
    maxWaitMs: 10_000,
  });
  const { databaseUrl, connections: limits } = config;
  const thread = new IngestThread({ databaseUrl, limits, publicUrl, packPayloads }, app.log);
  app.addHook("onClose", () => thread.stop());
  metrics.gauge("ingest_memory_bytes", "Bytes of request bodies in memory", () => bodies.heldBytes);
  metrics.queue("ingest-requests", rates.requests);
  metrics.queue("ingest-bytes", rates.bytes);
  metrics.queue("ingest-memory", bodies);
  metrics.queue("ingest-groups", store);

  // This scope leaves every body to its handler, whatever its content type.
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", async () => undefined);
    // Closing the connection while the client still sends would reset it and lose the response: the client closes it.
    scope.addHook("onSend", async (_request, reply, payload) => {
      if (reply.statusCode === 413) reply.raw.shouldKeepAlive = true;
      return payload;
    });

    scope.post(
      "/api/traces",
      {
        onRequest: ingestGuards(connections, rates, reconciler),
        schema: {
          tags: ["Traces"],
          summary: "Store or replace a batch of traces",
          description: DESCRIPTION,
          security: [{ apiKey: [] }],
          describedBody: batchSchema,
          response: {
            200: successSchema.extend({ count: z.number().int().describe("Traces stored or replaced") }),
          },
          errors: INGEST_ERRORS,
        },
      },
      async (request) => {
        const key = ingestKey(request);
        const { userId } = key;
        // Closed when the work ends, not when the client leaves: the body stays in memory until then.
        const hold = bodies.open(userId);
        try {
          const body = await readBytes(request, hold, MAX_BODY_BYTES);
          const bytes = body.length;
          let memory: ArrayBuffer | undefined;
          try {
            rates.bytes.count(userId, bytes);
            const onParsed = (cost: number) => {
              rates.bytes.count(userId, cost - bytes);
              // At most the user's share: other users must not wait for one batch.
              hold.resize(Math.min(cost, maxBytesPerUser));
            };
            const storeHere = async () => {
              const batch = await readBatch(body);
              onParsed(batchCost(bytes, batch));
              return store.store(key, batch, bytes);
            };
            const storeInThread = async () => {
              // The user's batches that are being stored may take all the room that the user has.
              await hold.waitForRoom();
              const onMemory = (returned: ArrayBuffer) => {
                memory = returned;
              };
              const count = await connections.writes.turn(userId, () =>
                thread.store({ userId, keyId: key.keyId, body }, { onParsed, onMemory }),
              );
              live.changed(userId);
              return count;
            };
            return {
              success: true as const,
              count: await (bytes > LARGE_BYTES ? storeInThread() : storeHere()),
            };
          } finally {
            // Stored values are copies, and a failed transaction has ended, so no view of the body is left.
            releaseBytes(body, memory);
          }
        } finally {
          hold.close();
        }
      },
    );
  });
}
