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
  "A batch is stored whole or not at all, and it is stored when the answer arrives. A trace you sent before is " +
    "replaced with everything in it, so a running trace can be sent again and again until it is complete. A trace id " +
    "that belongs to somebody else is passed over and not counted.",
  "The body is JSON of at most 10 MiB, 256 levels and 1,000,000 values; it may be compressed with " +
    "Content-Encoding: gzip, and the bounds hold for what it unpacks to. Of several faults the first is answered.",
  "Each new trace counts once for the limit of your plan. 429 and 503 say in Retry-After when to come back.",
].join("\n\n");

/** Bodies in memory at once, of all users and of one; what a batch costs beside its body is about as much again. */
const BUDGET_BYTES = 96 * 1024 * 1024;
const SHARE_BYTES = 32 * 1024 * 1024;

export function ingestRoutes(
  app: App,
  { db, ...store }: { db: Database; pool: pg.Pool; publicUrl: string; live: Live },
) {
  const budget = new ByteBudget({ maxBytes: BUDGET_BYTES, maxBytesPerUser: SHARE_BYTES, maxWaitMs: 10_000 });

  // A scope of its own: here a body is bytes, whatever its content type says.
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (request: FastifyRequest, body: Readable) =>
      readBytes(request, body, MAX_BODY_BYTES),
    );
    // A line that we close while its sender still sends is reset, and our answer with it: the sender is to close it.
    scope.addHook("onSend", async (_request, reply, payload) => {
      if (reply.statusCode === 413) reply.raw.shouldKeepAlive = true;
      return payload;
    });
    scope.addHook("preParsing", async (request, reply, body) => {
      const { headers } = request;
      const announced =
        headers["content-encoding"] === undefined ? Number(headers["content-length"]) : Number.NaN;
      const giveBack = await budget.acquire(ingestUserId(request), announced || MAX_BODY_BYTES);
      if (reply.raw.closed) giveBack();
      else reply.raw.once("close", giveBack);
      return body;
    });

    scope.post(
      "/api/traces",
      {
        onRequest: ingestGuards(db),
        schema: {
          tags: ["Traces"],
          summary: "Store a batch of traces, or replace those already there",
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
          // Whatever was stored is a copy, and a transaction that failed has ended: no view of the body is left.
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
