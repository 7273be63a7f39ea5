import type { Readable } from "node:stream";
import { BatchError, parseSteps } from "@whytrace/contract";
import type { FastifyRequest } from "fastify";
import type pg from "pg";
import { z } from "zod";
import { ByteBudget } from "../concurrency/byte-budget.ts";
import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { readBytes, releaseBytes } from "../http/read-bytes.ts";
import { successSchema } from "../http/success.ts";
import type { Live } from "../live/live.ts";
import { storeTraces } from "../trace-store/store-traces.ts";
import { batchSchema } from "./batch-schema.ts";
import { BATCH_SHAPE } from "./batch-shape.ts";
import { INGEST_ERRORS } from "./ingest-errors.ts";
import { ingestGuards, ingestUserId, MAX_BODY_BYTES } from "./ingest-guards.ts";
import { JsonLimitError, JsonSyntaxError } from "./json-errors.ts";
import { scanSteps } from "./scan-json.ts";

const DESCRIPTION = [
  "A batch is stored completely or not at all, before the response is sent. A trace with the id of one of your stored " +
    "traces replaces it with all its children, so you can send a running trace repeatedly until it is complete. A " +
    "trace with an id that belongs to another user is skipped and not counted.",
  "The body is JSON of at most 10 MiB, 256 levels of nesting and 1,000,000 values. It may be compressed with " +
    "Content-Encoding: gzip; the limits also apply after decompression. If there are several errors, the response " +
    "names the first one.",
  "Each new trace counts once towards the limit of your plan. In a response with status 429 or 503, the Retry-After " +
    "header says when to retry.",
].join("\n\n");

/** Limits of the request bodies in memory. Parsing and storing a batch takes about as much memory again as its body. */
const BODY_MEMORY = { maxBytes: 96 * 1024 * 1024, maxBytesPerUser: 32 * 1024 * 1024, maxWaitMs: 10_000 };

export function ingestRoutes(
  app: App,
  { db, ...store }: { db: Database; pool: pg.Pool; publicUrl: string; live: Live },
) {
  const budget = new ByteBudget(BODY_MEMORY);

  // This scope reads every body as bytes, whatever its content type.
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (request: FastifyRequest, body: Readable) =>
      readBytes(request, body, MAX_BODY_BYTES),
    );
    // Closing the connection while the client still sends would reset it and lose the response: the client closes it.
    scope.addHook("onSend", async (_request, reply, payload) => {
      if (reply.statusCode === 413) reply.raw.shouldKeepAlive = true;
      return payload;
    });
    scope.addHook("preParsing", async (request, reply, body) => {
      const { headers } = request;
      const bodyBytes =
        headers["content-encoding"] === undefined ? Number(headers["content-length"]) : Number.NaN;
      const release = await budget.acquire(ingestUserId(request), bodyBytes || MAX_BODY_BYTES);
      if (reply.raw.closed) release();
      else reply.raw.once("close", release);
      return body;
    });

    scope.post(
      "/api/traces",
      {
        onRequest: ingestGuards(db),
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
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        try {
          const batch = await readBatch(body);
          const count = await storeTraces(store, ingestUserId(request), batch, body.length);
          return { success: true as const, count };
        } finally {
          // Stored values are copies, and a failed transaction has ended, so no view of the body is left.
          releaseBytes(body);
        }
      },
    );
  });
}

async function readBatch(body: Buffer) {
  try {
    return await runInTimeSlices(parseSteps(await runInTimeSlices(scanSteps(body, BATCH_SHAPE))));
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new HttpError(400, "Invalid JSON in request body");
    if (error instanceof JsonLimitError) throw new HttpError(400, error.message);
    if (error instanceof BatchError) throw new HttpError(error.status, error.message);
    throw error;
  }
}
