import type { Readable } from "node:stream";
import { BatchError, parseBatch } from "@whytrace/contract";
import type { FastifyRequest } from "fastify";
import type pg from "pg";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import type { App } from "../http/app-instance.ts";
import { ByteBudget } from "../http/byte-budget.ts";
import { HttpError } from "../http/http-error.ts";
import { readBytes } from "../http/read-bytes.ts";
import { BATCH_SHAPE } from "./batch-shape.ts";
import { BODY_MAX_BYTES, ingestGuards, ingestUserOf } from "./ingest-guards.ts";
import { JsonBoundError, JsonSyntaxError, scanJson } from "./scan-json.ts";
import { storeTraces } from "./store-traces.ts";

/** Bodies in memory at once; what a batch costs beside its body (its rows) is about as much again. */
const BUDGET_BYTES = 96 * 1024 * 1024;

export function ingestRoutes(app: App, { db, pool }: { db: Database; pool: pg.Pool }) {
  const budget = new ByteBudget({ bytes: BUDGET_BYTES, longestWaitMs: 10_000 });

  // A scope of its own: here a body is bytes, whatever its content type says.
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (request: FastifyRequest, body: Readable) =>
      readBytes(request, body, BODY_MAX_BYTES),
    );
    scope.addHook("preParsing", async ({ headers }, reply, body) => {
      const announced =
        headers["content-encoding"] === undefined ? Number(headers["content-length"]) : Number.NaN;
      const giveBack = await budget.take(announced || BODY_MAX_BYTES);
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
          response: { 200: z.object({ success: z.literal(true), count: z.number().int() }) },
        },
      },
      async (request) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const batch = readBatch(body);
        const count = await storeTraces(pool, ingestUserOf(request), batch, body.length);
        return { success: true as const, count };
      },
    );
  });
}

function readBatch(body: Buffer) {
  try {
    return parseBatch(scanJson(body, BATCH_SHAPE));
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new HttpError(400, "Invalid JSON in request body");
    if (error instanceof JsonBoundError) throw new HttpError(400, error.message);
    if (error instanceof BatchError) throw new HttpError(error.status, error.message);
    throw error;
  }
}
