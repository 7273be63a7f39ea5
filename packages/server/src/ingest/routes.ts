import { batch, storedBatch } from "@whytrace/contract/schemas/batch";
import type { Reconciler } from "../billing/reconciler.ts";
import type { RefusedRequests } from "../billing/refused-requests.ts";
import type { Connections } from "../db/connections.ts";
import type { App } from "../http/app-instance.ts";
import { INGEST_ERRORS } from "./ingest-errors.ts";
import { ingestGuards, ingestKey } from "./ingest-guards.ts";
import type { Intake } from "./intake.ts";
import { leaveBodies } from "./leave-bodies.ts";

const DESCRIPTION = [
  "A batch is stored completely or not at all, before the response is sent. A trace with the id of one of your stored " +
    "traces replaces it with all its children, so you can send a running trace repeatedly until it is complete. A " +
    "trace with an id that belongs to another user is skipped and not counted.",
  "The body is JSON of at most 10 MiB, 256 levels of nesting and 1,000,000 values, with at most 100,000 spans, " +
    "decision points and events each in a trace. It may be compressed with " +
    "Content-Encoding: gzip; the limits also apply after decompression. If there are several errors, the response " +
    "names the first one.",
  "Each new trace counts once towards the limit of your plan. The server also limits the requests and bytes that you " +
    "send per minute, and how many of your requests it handles at the same time: further ones wait, and are rejected if " +
    "they wait too long. A body must arrive within 30 seconds, with at least 80 KiB in every 5 seconds.",
  "In a response with status 429 or 503, the Retry-After header says when to retry. 429 means that you have sent too " +
    "much, 503 that the server has too much to do.",
].join("\n\n");

const FORMAT = { maxBytes: 10 * 1024 * 1024, invalidText: "Invalid JSON in request body" };

interface IngestRoutesOptions {
  connections: Connections;
  intake: Intake;
  reconciler: Reconciler;
  refusals: RefusedRequests;
}

export function ingestRoutes(app: App, { connections, intake, reconciler, refusals }: IngestRoutesOptions) {
  const { rates } = intake;
  const { maxBytes } = FORMAT;
  app.register(async (scope: App) => {
    leaveBodies(scope);
    scope.post(
      "/api/traces",
      {
        onRequest: ingestGuards({
          connections,
          rates,
          reconciler,
          refusals,
          maxBytes,
          isUsageRequired: true,
        }),
        schema: {
          tags: ["Traces"],
          summary: "Store or replace a batch of traces",
          description: DESCRIPTION,
          security: [{ apiKey: ["send"] }],
          describedBody: batch,
          response: { 200: storedBatch },
          errors: INGEST_ERRORS,
        },
      },
      async (request) => {
        const { count } = await intake.receive(request, ingestKey(request), { kind: "batch" }, FORMAT);
        return { success: true as const, count };
      },
    );
  });
}
