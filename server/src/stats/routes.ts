import { type ChoiceStat, DECISION_POINT_TYPES, type ErrorStat, type TraceStats } from "@whytrace/contract";
import { z } from "zod";
import { type SessionGuard, sessionOf } from "../auth/require-session.ts";
import type { Database } from "../db/database.ts";
import { ResultCache } from "../db/result-cache.ts";
import type { App } from "../http/app-instance.ts";
import { HttpError } from "../http/http-error.ts";
import { dateParam } from "../http/query-params.ts";
import { readTotals } from "../trace-store/totals.ts";
import { RANGE_MAX_DAYS, type Range, rangeOf } from "./range.ts";
import { topChoices } from "./top-choices.ts";
import { topErrors } from "./top-errors.ts";
import { traceStats } from "./trace-stats.ts";

const DEFAULT_MS = 7 * 24 * 3_600_000;
const TOP = 10;
const REMEMBERED_MOST = 100;
const RANGE = `Invalid range. from must be before to, by at most ${RANGE_MAX_DAYS} days.`;
/** Further out, the stretch before or the end of the last day has no date that could be written. */
const YEARS = "Invalid range. It must lie between the years 1000 and 9998.";
const EARLIEST_MS = Date.UTC(1000, 0);
const LATEST_MS = Date.UTC(9999, 0);

const rangeQuery = z.object({
  from: dateParam("from", "Begin: an ISO 8601 date. Without one, 7 days before the end"),
  to: dateParam("to", "End. Without one, now"),
});
const figures = z.object({
  traces: z.object({ RUNNING: z.number().int(), COMPLETED: z.number().int(), ERROR: z.number().int() }),
  costUsd: z.number().nullable(),
  tokens: z.number().nullable(),
  durationP50Ms: z.number().nullable(),
  durationP95Ms: z.number().nullable(),
  durationP99Ms: z.number().nullable(),
});
const range = z.object({ from: z.iso.datetime(), to: z.iso.datetime() });

const rangeAsked = ({ from, to = Date.now() }: z.output<typeof rangeQuery>): Range => {
  const found = rangeOf(from ?? to - DEFAULT_MS, to);
  if (!found) throw new HttpError(400, RANGE);
  if (found.fromMs < EARLIEST_MS || found.toMs > LATEST_MS) throw new HttpError(400, YEARS);
  return found;
};
const bounds = ({ fromMs, toMs }: Range) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
});

export function statsRoutes(app: App, { db, guard }: { db: Database; guard: SessionGuard }) {
  const traces = new ResultCache<TraceStats>(REMEMBERED_MOST);
  const errors = new ResultCache<ErrorStat[]>(REMEMBERED_MOST);
  const choices = new ResultCache<ChoiceStat[]>(REMEMBERED_MOST);
  const shared = { tags: ["Statistics"], querystring: rangeQuery, errors: { 400: [RANGE, YEARS] } };

  app.get(
    "/api/stats/traces",
    {
      onRequest: guard,
      schema: {
        ...shared,
        summary: "Traces, cost, tokens and durations by the hour or day they started in",
        description:
          "Hours up to three days, days beyond, both in UTC, and whole ones: the answer says which stretch it covers.",
        response: {
          200: range.extend({
            interval: z.enum(["hour", "day"]),
            buckets: z.array(figures.extend({ start: z.iso.datetime() })),
            total: figures,
            before: figures.describe("The stretch of the same length before it"),
          }),
        },
      },
    },
    async (request) => {
      const userId = sessionOf(request).user.id;
      const asked = rangeAsked(request.query);
      return traces.get(await readTotals(db, userId), userId, asked, () => traceStats(db, userId, asked));
    },
  );

  app.get(
    "/api/stats/errors",
    {
      onRequest: guard,
      schema: {
        ...shared,
        summary: "What failed most often: spans by name and message, ERROR events by name",
        response: {
          200: range.extend({
            errors: z.array(
              z.object({
                name: z.string(),
                message: z.string().nullable().describe("Its first 200 characters"),
                count: z.number().int(),
                traces: z.number().int(),
                lastAt: z.iso.datetime(),
                lastTraceId: z.string(),
              }),
            ),
          }),
        },
      },
    },
    async (request) => {
      const userId = sessionOf(request).user.id;
      const asked = rangeAsked(request.query);
      const found = await errors.get(await readTotals(db, userId), userId, asked, () =>
        topErrors(db, userId, asked, TOP),
      );
      return { ...bounds(asked), errors: found };
    },
  );

  app.get(
    "/api/stats/choices",
    {
      onRequest: guard,
      schema: {
        ...shared,
        summary: "The choices most often followed by an error of their trace",
        response: {
          200: range.extend({
            choices: z.array(
              z.object({
                type: z.enum(DECISION_POINT_TYPES),
                choice: z.string().describe("The chosen option's name, or the beginning of its JSON"),
                count: z.number().int().describe("How often it was chosen"),
                failed: z.number().int().describe("How often in a trace that ended in an error"),
              }),
            ),
          }),
        },
      },
    },
    async (request) => {
      const userId = sessionOf(request).user.id;
      const asked = rangeAsked(request.query);
      const found = await choices.get(await readTotals(db, userId), userId, asked, () =>
        topChoices(db, userId, asked, TOP),
      );
      return { ...bounds(asked), choices: found };
    },
  );
}
