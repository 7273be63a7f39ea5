import {
  chosenRetention,
  expiredTraces,
  expiredTracesQuery,
  retention,
} from "@whytrace/contract/schemas/retention";
import { recordEvent } from "../audit/record-event.ts";
import { originOf } from "../auth/origin-of.ts";
import type { SessionGuard } from "../auth/require-session.ts";
import { chooseRetention } from "../billing/choose-retention.ts";
import { type RetentionLimits, readRetention } from "../billing/retention.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import { transaction } from "../db/transaction.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS } from "../http/http-error.ts";
import { countExpiredTraces } from "../trace-store/delete/count-expired-traces.ts";
import { memberOf } from "../workspaces/require-member.ts";

const NO_SUBSCRIPTION = { 403: ["No subscription found for this user"] };

interface RetentionRoutesOptions {
  db: Database;
  reads: FairDatabase;
  limits: RetentionLimits;
  guard: SessionGuard;
}

/** For how long a workspace's traces are kept. */
export function retentionRoutes(app: App, { db, reads, limits, guard }: RetentionRoutesOptions) {
  const onRequest = guard;
  const tags = ["Workspaces"];

  app.get(
    "/api/workspace/retention",
    {
      onRequest,
      schema: {
        tags,
        summary: "Get for how many days your traces are kept",
        description:
          "A trace is deleted so many times 24 hours after it started, or after it was stored if that was later. Its id " +
          "can then be used again. Deleted traces still count towards the limit of your plan.",
        response: { 200: retention },
        errors: NO_SUBSCRIPTION,
      },
    },
    async (request) => readRetention(db, memberOf(request).workspaceId, limits),
  );

  app.put(
    "/api/workspace/retention",
    {
      onRequest,
      schema: {
        tags,
        summary: "Choose for how many days your traces are kept",
        description:
          "Older traces are deleted permanently, within minutes. With null, traces are kept as long as your plan allows.",
        body: chosenRetention,
        response: { 200: retention },
        errors: { 400: ["days: must be at most <maxDays>, the limit of your plan"], ...NO_SUBSCRIPTION },
      },
    },
    async (request) => {
      const { workspaceId } = memberOf(request);
      const { days } = request.body;
      return transaction(db, async (trx) => {
        const chosen = await chooseRetention(trx, workspaceId, limits, days);
        await recordEvent(trx, workspaceId, originOf(request), {
          action: "workspace.retention-changed",
          details: { days },
        });
        return chosen;
      });
    },
  );

  app.get(
    "/api/workspace/retention/expired",
    {
      onRequest,
      schema: {
        tags,
        summary: "Count the traces that are as old as a number of days",
        description: "So many traces would be deleted if you chose this number of days.",
        querystring: expiredTracesQuery,
        response: { 200: expiredTraces },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => {
      const workspaceId = memberOf(request).workspaceId;
      return {
        traces: await reads.run(workspaceId, (read) =>
          countExpiredTraces(read, workspaceId, request.query.days),
        ),
      };
    },
  );
}
