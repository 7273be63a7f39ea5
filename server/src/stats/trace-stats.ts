import type { TraceFigures, TraceStats } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { instant, type Range } from "./range.ts";

interface FigureRow {
  start: string;
  running: number;
  completed: number;
  error: number;
  costUsd: number | null;
  tokens: number | null;
  /** Absent where no trace has a duration. */
  durationsMs: (number | null)[] | null;
}

/** Traces by the hour or day they started in, added up; hours and days without traces included. */
export async function traceStats(db: Database, userId: string, range: Range): Promise<TraceStats> {
  const { interval, intervalMs, fromMs, toMs } = range;
  const lengthMs = toMs - fromMs;
  const from = new Date(fromMs).toISOString();
  const before = new Date(fromMs - lengthMs).toISOString();
  const [buckets, halves] = await Promise.all([
    figures(db, userId, range, intervalMs),
    figures(db, userId, { fromMs: fromMs - lengthMs, toMs }, lengthMs),
  ]);
  return {
    from,
    to: new Date(toMs).toISOString(),
    interval,
    buckets: Array.from({ length: (toMs - fromMs) / intervalMs }, (_, index) => {
      const start = new Date(fromMs + index * intervalMs).toISOString();
      return { start, ...(buckets.get(start) ?? NONE) };
    }),
    total: halves.get(from) ?? NONE,
    before: halves.get(before) ?? NONE,
  };
}

const NONE: TraceFigures = {
  traces: { RUNNING: 0, COMPLETED: 0, ERROR: 0 },
  costUsd: null,
  tokens: null,
  durationP50Ms: null,
  durationP95Ms: null,
  durationP99Ms: null,
};

/** Figures by the start of each stretch of so many milliseconds. All columns are in one index: no row is touched. */
async function figures(
  db: Database,
  userId: string,
  { fromMs, toMs }: Pick<Range, "fromMs" | "toMs">,
  lengthMs: number,
): Promise<Map<string, TraceFigures>> {
  const { rows } = await sql<FigureRow>`
    select date_bin(${`${lengthMs} milliseconds`}::interval, started_at, ${instant(fromMs)}) as start,
      count(*) filter (where status = 'RUNNING') as running,
      count(*) filter (where status = 'COMPLETED') as completed,
      count(*) filter (where status = 'ERROR') as error,
      sum(total_cost) as cost_usd, sum(total_tokens) as tokens,
      percentile_disc(array[0.5, 0.95, 0.99]) within group (order by total_duration) as durations_ms
    from traces
    where user_id = ${userId} and started_at >= ${instant(fromMs)} and started_at < ${instant(toMs)}
    group by 1`.execute(db);
  return new Map(
    rows.map(({ start, running, completed, error, costUsd, tokens, durationsMs }) => [
      start,
      {
        traces: { RUNNING: running, COMPLETED: completed, ERROR: error },
        costUsd,
        tokens,
        durationP50Ms: durationsMs?.[0] ?? null,
        durationP95Ms: durationsMs?.[1] ?? null,
        durationP99Ms: durationsMs?.[2] ?? null,
      },
    ]),
  );
}
