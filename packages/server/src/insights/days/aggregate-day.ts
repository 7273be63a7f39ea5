import { hash53 } from "@whytrace/contract";
import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { addTraces } from "./add-traces.ts";
import { type EncodedDay, encodeDay } from "./encode-day.ts";
import { Tally } from "./tally.ts";

export interface DayAggregate {
  figures: EncodedDay;
  traceCount: number;
}

/** The traces from the start of a day until a time. */
export interface TracesAggregate {
  tally: Tally;
  traceCount: number;
  /** Exclusive. */
  untilMs: number;
}

/** Returns what `compute` returned before for the same key and version, or calls it. */
export type SettledCache = (
  version: number,
  key: string,
  compute: () => Promise<TracesAggregate>,
) => Promise<TracesAggregate>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * Of a day that is not over, two ranges of time are cached: the traces that started until one to two hours ago, and those from
 * there until 15 to 30 minutes ago. Most runs end within 15 minutes; a longer one changes only the second range.
 */
const SETTLED_AFTER_MS = [60 * MINUTE_MS, 15 * MINUTE_MS];

const NO_CACHE: SettledCache = (_version, _key, compute) => compute();

/** Aggregates the facts of the traces that started on a day (UTC), except those whose aggregate is in the cache. */
export async function aggregateDay(
  db: Database,
  workspaceId: WorkspaceId,
  day: string,
  settledCache = NO_CACHE,
): Promise<DayAggregate> {
  const startMs = Date.parse(`${day}T00:00:00Z`);
  const endMs = startMs + DAY_MS;
  let settled: TracesAggregate = { tally: new Tally(), traceCount: 0, untilMs: startMs };
  for (const { settledAfterMs, untilMs, version } of await listSettledRanges(
    db,
    workspaceId,
    startMs,
    endMs,
  )) {
    const base = settled;
    settled = await settledCache(version, `${day} ${settledAfterMs}`, () =>
      aggregateUntil(db, workspaceId, base, untilMs),
    );
  }
  const { tally, traceCount } = await aggregateUntil(db, workspaceId, settled, endMs);
  return { figures: await runInTimeSlices(encodeDay(tally)), traceCount };
}

async function aggregateUntil(
  db: Database,
  workspaceId: WorkspaceId,
  base: TracesAggregate,
  untilMs: number,
): Promise<TracesAggregate> {
  const tally = new Tally(base.tally);
  const added = await addTraces(db, tally, workspaceId, startedBetween(base.untilMs, untilMs));
  return { tally, traceCount: base.traceCount + added, untilMs };
}

interface SettledRange {
  settledAfterMs: number;
  /** Exclusive. */
  untilMs: number;
  /** Changes if one of the traces until then changes, or if there are others. */
  version: number;
}

/** The settled ranges of a day that has begun and is not over, earliest first. Each includes those before it. */
async function listSettledRanges(
  db: Database,
  workspaceId: WorkspaceId,
  startMs: number,
  endMs: number,
): Promise<SettledRange[]> {
  const ranges = SETTLED_AFTER_MS.map((settledAfterMs) => ({
    settledAfterMs,
    // The end of a whole hour or quarter of an hour, so that an entry of the cache is valid for as long.
    untilMs: Math.floor((Date.now() - settledAfterMs) / settledAfterMs) * settledAfterMs,
  })).filter(({ untilMs }) => startMs < untilMs && untilMs < endMs);
  const lastMs = ranges.at(-1)?.untilMs;
  if (lastMs === undefined) return [];
  const ends = ranges.map(({ untilMs }) => new Date(untilMs).toISOString());
  const { rows } = await sql<{ bucket: number; count: number; hash: string }>`
    select width_bucket(started_at, ${ends}::timestamptz[]) as bucket, count(*) as count,
      bit_xor(hash_record_extended(row(id, agent_hash, total_cost, decision_facts, outcome, outcome_flags, marks), 0))::text as hash
    from traces where workspace_id = ${workspaceId} and decision_facts is not null and ${startedBetween(startMs, lastMs)}
    group by 1`.execute(db.withoutPlugins());
  const digests = new Map(rows.map(({ bucket, count, hash }) => [bucket, `${count} ${hash}`]));
  let version = 0;
  return ranges.map((range, index) => {
    version = hash53(`${version} ${range.untilMs} ${digests.get(index)}`);
    return { ...range, version };
  });
}

const startedBetween = (startMs: number, endMs: number) => sql`
  started_at >= ${new Date(startMs).toISOString()}::timestamptz
  and started_at < ${new Date(endMs).toISOString()}::timestamptz`;
