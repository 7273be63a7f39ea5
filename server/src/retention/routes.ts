import { MAX_RETENTION_DAYS } from "@whytrace/contract";
import { z } from "zod";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import { chooseRetention } from "../billing/choose-retention.ts";
import { type RetentionLimits, readRetention } from "../billing/retention.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS } from "../http/http-error.ts";
import { fieldErrors } from "../http/route-schema.ts";
import { countExpiredTraces } from "../trace-store/expired-traces.ts";

const days = z.number().int().nullable();
const retention = z.object({
  days: days.describe("For how many days your traces are kept; null means without a limit"),
  chosenDays: days.describe("What you chose; null means as long as possible"),
  maxDays: days.describe("The most days that your plan and this installation allow; null means no limit"),
  planned: z
    .object({ days: z.number().int(), from: z.iso.datetime() })
    .nullable()
    .describe("After a change of plan: from this time on, traces are kept for so many days"),
  plans: z
    .array(z.object({ tier: z.enum(["FREE", "STARTER", "PRO"]), days }))
    .describe("The most days that each plan allows"),
});

const BOUNDS = `must be a whole number from 1 to ${MAX_RETENTION_DAYS}`;
const isDays = (value: number) => Number.isInteger(value) && value >= 1 && value <= MAX_RETENTION_DAYS;
const DAYS_META = { type: "integer", minimum: 1, maximum: MAX_RETENTION_DAYS } as const;
const chosenDays = z
  .number()
  .refine(isDays, { error: BOUNDS })
  .meta(DAYS_META)
  .register(fieldErrors, { texts: [BOUNDS] });
const daysParam = z
  .string({ error: BOUNDS })
  .refine((text) => /^\d+$/.test(text) && isDays(Number(text)), { error: BOUNDS })
  .transform(Number)
  .meta(DAYS_META)
  .register(fieldErrors, { texts: [BOUNDS] });
const NO_SUBSCRIPTION = { 403: ["No subscription found for this user"] };

export interface RetentionRoutesOptions {
  db: Database;
  reads: FairDatabase;
  limits: RetentionLimits;
  guard: SessionGuard;
}

/** For how long a user's traces are kept. */
export function retentionRoutes(app: App, { db, reads, limits, guard }: RetentionRoutesOptions) {
  const onRequest = guard;
  const tags = ["Account settings"];

  app.get(
    "/api/account/retention",
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
    async (request) => readRetention(db, sessionOf(request).user.id, limits),
  );

  app.put(
    "/api/account/retention",
    {
      onRequest,
      schema: {
        tags,
        summary: "Choose for how many days your traces are kept",
        description:
          "Older traces are deleted permanently, within minutes. With null, traces are kept as long as your plan allows.",
        body: z.object({ days: chosenDays.nullable() }),
        response: { 200: retention },
        errors: { 400: ["days: must be at most <maxDays>, the limit of your plan"], ...NO_SUBSCRIPTION },
      },
    },
    async (request) => chooseRetention(db, sessionOf(request).user.id, limits, request.body.days),
  );

  app.get(
    "/api/account/retention/expired",
    {
      onRequest,
      schema: {
        tags,
        summary: "Count the traces that are as old as a number of days",
        description: "So many traces would be deleted if you chose this number of days.",
        querystring: z.object({ days: daysParam }),
        response: { 200: z.object({ traces: z.number().int() }) },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => {
      const userId = sessionOf(request).user.id;
      return {
        traces: await reads.run(userId, (read) => countExpiredTraces(read, userId, request.query.days)),
      };
    },
  );
}
