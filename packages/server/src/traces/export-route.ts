import { z } from "zod";
import { callerOrigin } from "../api-keys/caller-origin.ts";
import type { CredentialWatch } from "../api-keys/credential-watch.ts";
import type { Guards } from "../api-keys/guards.ts";
import { callerOf } from "../api-keys/guards.ts";
import { recordEvent } from "../audit/record-event.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS } from "../http/http-error.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { refuseSlowly } from "../http/refuse-slowly.ts";
import { idsParam } from "../http/request/ids-param.ts";
import { enumParam } from "../http/request/query-params.ts";
import { sendStream } from "../http/send-stream.ts";
import { exportTraces } from "./export-traces.ts";
import { requireScoreName, SCORE_NAME_REQUIRED } from "./score-conditions.ts";
import { traceFilterParams } from "./trace-filter-params.ts";

const MAX_IDS = 200;
const RUNNING = "An export of your traces is already running";

const exportQuery = z.object({
  ids: idsParam(MAX_IDS),
  payloads: enumParam(
    "payloads",
    ["true", "false"],
    "false: leave out input, output, metadata, contextSnapshot and reasoning, and of options all but their names. " +
      "Default: true",
  ),
  ...traceFilterParams,
});

interface ExportRouteOptions {
  db: Database;
  reads: FairDatabase;
  budget: ReadBudget;
  guards: Guards;
  credentials: CredentialWatch;
}

export function exportRoute(app: App, { db, reads, budget, guards, credentials }: ExportRouteOptions) {
  /** The workspaces whose export is running in this process. */
  const exporting = new Set<string>();

  app.get(
    "/api/export/traces",
    {
      onRequest: guards.read,
      // A response to HEAD would read all traces for nobody.
      exposeHeadRoute: false,
      schema: {
        tags: ["Traces"],
        summary: "Export traces as JSON Lines",
        description:
          "One whole trace per line, in the order of their ids: those that the filters of the list let through. None comes " +
          "twice, and none is missing that is there and matches from the start to the end. If the download breaks off, the " +
          "connection ends without the last chunk, which HTTP clients report. You can run one export at a time.",
        querystring: exportQuery,
        response: {
          200: {
            description:
              "One trace per line, as `GET /api/traces/{id}` returns it, and its outcome: good, bad, unknown or open",
            content: { "application/x-ndjson": { schema: z.string() } },
          },
        },
        errors: { 400: [SCORE_NAME_REQUIRED], 429: [RUNNING, ...BUSY_ERRORS[429]] },
      },
    },
    async (request, reply) => {
      const { workspaceId, credentialId } = callerOf(request);
      const { ids, payloads, ...filter } = request.query;
      requireScoreName(filter);
      if (exporting.has(workspaceId)) await refuseSlowly(RUNNING, 10);
      exporting.add(workspaceId);
      try {
        // First, because the response is a stream: the event says what was asked for.
        await recordEvent(db, workspaceId, callerOrigin(request), {
          action: "traces.exported",
          details: { filters: namesOf(filter), count: ids?.length ?? null },
        });
        return await sendStream(reply, {
          contentType: "application/x-ndjson",
          headers: { "content-disposition": 'attachment; filename="whytrace-traces.jsonl"' },
          budget,
          caller: workspaceId,
          permission: credentials.permission(credentialId),
          chunks: exportTraces(reads, workspaceId, {
            filter,
            ids,
            detail: payloads === "false" ? "withoutPayloads" : "whole",
          }),
        });
      } finally {
        exporting.delete(workspaceId);
      }
    },
  );
}

/** The names of the filters that were asked for, without their values. */
const namesOf = (filter: object): string[] =>
  Object.entries(filter)
    .filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false))
    .map(([name]) => name)
    .sort();
