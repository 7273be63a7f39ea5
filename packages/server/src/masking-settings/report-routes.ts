import {
  type MaskingLevel,
  maskedMatchesSchema,
  maskingLogSchema,
  traceMaskingSchema,
} from "@whytrace/contract/schemas/masking/settings";
import { z } from "zod";
import { callerOf, type Guards } from "../api-keys/guards.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import { limitParam, pageParam } from "../http/request/query-params.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { countMasked } from "./count-masked.ts";
import { listMaskingLog } from "./list-masking-log.ts";
import { readTraceMasking } from "./read-trace-masking.ts";

/** What was masked, and who changed the rules. */
export function maskingReportRoutes(
  app: App,
  { reads, guards, floor }: { reads: FairDatabase; guards: Guards; floor: MaskingLevel },
) {
  const tags = ["Masking"];

  app.get(
    "/api/masking/matches",
    {
      onRequest: guards.read,
      schema: {
        tags,
        summary: "Count what was masked in the last 7 days",
        description:
          "Counts values in the traces that began in the last 7 days, by type and by rule, never content.",
        response: { 200: maskedMatchesSchema },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => {
      const { workspaceId } = callerOf(request);
      return reads.run(workspaceId, (db) => countMasked(db, workspaceId));
    },
  );

  app.get(
    "/api/masking/log",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "List who changed what is masked",
        querystring: z.object({ page: pageParam, limit: limitParam }),
        response: { 200: maskingLogSchema },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => {
      const { workspaceId } = memberOf(request);
      const { page, limit } = request.query;
      const { entries, total } = await reads.run(workspaceId, (db) =>
        listMaskingLog(db, workspaceId, { page, limit }),
      );
      return { entries, total, page, limit, totalPages: Math.ceil(total / limit) };
    },
  );

  app.get(
    "/api/traces/:id/masking",
    {
      onRequest: guards.read,
      schema: {
        tags,
        summary: "Get what was masked in a trace",
        params: z.object({ id: z.string() }),
        response: { 200: traceMaskingSchema },
        errors: { 404: ["Trace not found"], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const { workspaceId } = callerOf(request);
      const state = await reads.run(workspaceId, (db) =>
        readTraceMasking(db, workspaceId, request.params.id, floor),
      );
      if (!state) throw new HttpError(404, "Trace not found");
      return state;
    },
  );
}
