import type { ModelStat, TraceStats } from "@whytrace/contract";
import type { ChoiceStat, ErrorStat } from "@whytrace/contract/schemas/stats";
import * as schemas from "@whytrace/contract/schemas/stats";
import { z } from "zod";
import { callerOf, type Guards } from "../api-keys/guards.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import { ResultCache } from "../db/result-cache.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import { dateParam } from "../http/request/query-params.ts";
import { readTotals } from "../trace-store/counts/totals.ts";
import { mixedJudging, readJudging } from "../trace-store/outcomes/outcome-jobs.ts";
import { modelStats } from "./model-stats.ts";
import { alignTimeRange, MAX_RANGE_DAYS, type TimeRange } from "./time-range.ts";
import { topChoices } from "./top-choices.ts";
import { topErrors } from "./top-errors.ts";
import { traceStats } from "./trace-stats.ts";

const DEFAULT_RANGE_MS = 7 * 24 * 3_600_000;
const TOP_COUNT = 10;
const MAX_MODELS = 100;
const MAX_CACHED_RESULTS = 100;
const RANGE = `Invalid range. from must be before to, by at most ${MAX_RANGE_DAYS} days.`;
/** Outside these years the range before it, or the end of its last day, would have no four-digit year. */
const YEARS = "Invalid range. It must lie between the years 1000 and 9998.";
const MIN_MS = Date.UTC(1000, 0);
const MAX_MS = Date.UTC(9999, 0);

const rangeQuery = z.object({
  from: dateParam("from", "Start of the time range, an ISO 8601 date. Default: 7 days before the end"),
  to: dateParam("to", "End of the time range, an ISO 8601 date. Default: now"),
});
const parseRange = ({ from, to = Date.now() }: z.output<typeof rangeQuery>): TimeRange => {
  const range = alignTimeRange(from ?? to - DEFAULT_RANGE_MS, to);
  if (!range) throw new HttpError(400, RANGE);
  if (range.fromMs < MIN_MS || range.toMs > MAX_MS) throw new HttpError(400, YEARS);
  return range;
};
const formatRange = ({ fromMs, toMs }: TimeRange) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
});

export function statsRoutes(app: App, { reads, guards }: { reads: FairDatabase; guards: Guards }) {
  const traceStatsCache = new ResultCache<TraceStats>(MAX_CACHED_RESULTS);
  const errorsCache = new ResultCache<ErrorStat[]>(MAX_CACHED_RESULTS);
  const modelsCache = new ResultCache<ModelStat[]>(MAX_CACHED_RESULTS);
  const choicesCache = new ResultCache<ChoiceStat[]>(MAX_CACHED_RESULTS);
  const shared = {
    tags: ["Statistics"],
    querystring: rangeQuery,
    errors: { 400: [RANGE, YEARS], ...BUSY_ERRORS },
  };

  app.get(
    "/api/stats/traces",
    {
      onRequest: guards.read,
      schema: {
        ...shared,
        summary: "Get traces, cost, tokens and durations per hour or day",
        description:
          "Traces count in the UTC hour or day in which they started. A time range of up to three days has hourly " +
          "buckets, a longer one daily buckets. The range is extended to whole buckets; `from` and `to` of the " +
          "response give the result.",
        response: { 200: schemas.traceStats },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const range = parseRange(request.query);
      return reads.run(workspaceId, async (db) => {
        const stats = await traceStatsCache.get(await readTotals(db, workspaceId), workspaceId, range, () =>
          traceStats(db, workspaceId, range),
        );
        const judging = await readJudging(db, workspaceId);
        return { ...stats, ...(judging && { judging: mixedJudging(judging) }) };
      });
    },
  );

  app.get(
    "/api/stats/models",
    {
      onRequest: guards.read,
      schema: {
        ...shared,
        summary: "List what each model used and cost",
        description:
          "Counts the traces that started in the time range. A model has one entry for each price that was used. A call " +
          "that a parent span or a second instrumentation repeats counts once.",
        response: { 200: schemas.modelStats },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const range = parseRange(request.query);
      const models = await reads.run(workspaceId, async (db) =>
        modelsCache.get(await readTotals(db, workspaceId), workspaceId, range, () =>
          modelStats(db, workspaceId, range, MAX_MODELS),
        ),
      );
      return { ...formatRange(range), models };
    },
  );

  app.get(
    "/api/stats/errors",
    {
      onRequest: guards.read,
      schema: {
        ...shared,
        summary: "List the most frequent errors",
        description:
          "Failed spans are grouped by message, or by name if they have none; ERROR events by name. A group has the name of the span in " +
          "it that started last.",
        response: { 200: schemas.errorStats },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const range = parseRange(request.query);
      const errors = await reads.run(workspaceId, async (db) =>
        errorsCache.get(await readTotals(db, workspaceId), workspaceId, range, () =>
          topErrors(db, workspaceId, range, TOP_COUNT),
        ),
      );
      return { ...formatRange(range), errors };
    },
  );

  app.get(
    "/api/stats/choices",
    {
      onRequest: guards.read,
      schema: {
        ...shared,
        summary: "List the choices whose traces failed most often",
        response: { 200: schemas.choiceStats },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const range = parseRange(request.query);
      const choices = await reads.run(workspaceId, async (db) =>
        choicesCache.get(await readTotals(db, workspaceId), workspaceId, range, () =>
          topChoices(db, workspaceId, range, TOP_COUNT),
        ),
      );
      return { ...formatRange(range), choices };
    },
  );
}
