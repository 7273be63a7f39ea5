import type { TraceMetrics, TraceStats } from "@whytrace/contract";
import { RUN_OUTCOMES } from "@whytrace/contract/schemas/outcomes";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { withSums } from "../db/statements/with-sums.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { type TimeRange, timestamptz } from "./time-range.ts";

interface BucketRow {
  start: string;
  running: number;
  completed: number;
  error: number;
  good: number;
  bad: number;
  unknown: number;
  open: number;
  costUsd: number | null;
  tokens: number | null;
  /** The percentiles 50, 95 and 99; null if no trace has a duration. */
  durationsMs: (number | null)[] | null;
}

/** Aggregates traces per hour or day of their start, including empty buckets. */
export async function traceStats(
  db: Database,
  workspaceId: WorkspaceId,
  range: TimeRange,
): Promise<TraceStats> {
  const { interval, intervalMs, fromMs, toMs } = range;
  const lengthMs = toMs - fromMs;
  const from = new Date(fromMs).toISOString();
  const before = new Date(fromMs - lengthMs).toISOString();
  const [buckets, halves] = await Promise.all([
    aggregate(db, workspaceId, range, intervalMs),
    aggregate(db, workspaceId, { fromMs: fromMs - lengthMs, toMs }, lengthMs),
  ]);
  return {
    from,
    to: new Date(toMs).toISOString(),
    interval,
    buckets: Array.from({ length: (toMs - fromMs) / intervalMs }, (_, index) => {
      const start = new Date(fromMs + index * intervalMs).toISOString();
      return { start, ...(buckets.get(start) ?? EMPTY) };
    }),
    total: halves.get(from) ?? EMPTY,
    before: halves.get(before) ?? EMPTY,
  };
}

const EMPTY: TraceMetrics = {
  traces: { RUNNING: 0, COMPLETED: 0, ERROR: 0 },
  outcomes: { good: 0, bad: 0, unknown: 0, open: 0 },
  costUsd: null,
  tokens: null,
  durationP50Ms: null,
  durationP95Ms: null,
  durationP99Ms: null,
};

/** Columns are called like the outcomes, in the order of the numbers that are stored. */
const OUTCOME_COUNTS = sql.raw(
  RUN_OUTCOMES.map((name, index) => `count(*) filter (where outcome = ${index}) as ${name}`).join(", "),
);

/** Aggregates by the start of each bucket. One index contains all columns, so this is an index-only scan. */
async function aggregate(
  db: Database,
  workspaceId: WorkspaceId,
  { fromMs, toMs }: Pick<TimeRange, "fromMs" | "toMs">,
  bucketMs: number,
): Promise<Map<string, TraceMetrics>> {
  const { rows } = await withSums((sum) =>
    sql<BucketRow>`
    select date_bin(${`${bucketMs} milliseconds`}::interval, started_at, ${timestamptz(fromMs)}) as start,
      count(*) filter (where status = 'RUNNING') as running,
      count(*) filter (where status = 'COMPLETED') as completed,
      count(*) filter (where status = 'ERROR') as error, ${OUTCOME_COUNTS},
      ${sum("total_cost")} as cost_usd, ${sum("total_tokens")} as tokens,
      percentile_disc(array[0.5, 0.95, 0.99]) within group (order by total_duration) as durations_ms
    from traces
    where workspace_id = ${workspaceId} and started_at >= ${timestamptz(fromMs)} and started_at < ${timestamptz(toMs)}
    group by 1`.execute(db),
  );
  return new Map(
    rows.map(({ start, running, completed, error, costUsd, tokens, durationsMs, ...outcomes }) => [
      start,
      {
        traces: { RUNNING: running, COMPLETED: completed, ERROR: error },
        outcomes,
        costUsd,
        tokens,
        durationP50Ms: durationsMs?.[0] ?? null,
        durationP95Ms: durationsMs?.[1] ?? null,
        durationP99Ms: durationsMs?.[2] ?? null,
      },
    ]),
  );
}
