import { hash53 } from "@whytrace/contract";
import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { DecisionDay } from "../../trace-store/counts/store-decision-day.ts";
import { countWithoutDecisionFactsIn } from "../../trace-store/maintain/backfill-decision-facts.ts";
import { aggregateDay, type DayAggregate, type SettledCache } from "./aggregate-day.ts";
import { CountedDay } from "./counted-day.ts";
import { isCurrentDay, mergeDay } from "./merge-day.ts";
import { Tally } from "./tally.ts";

/** Whole days in UTC, YYYY-MM-DD; `to` is exclusive. */
export interface DayRange {
  from: string;
  to: string;
}

export const DAY_SECTIONS = ["choices", "transitions", "errors"] as const;
type DaySection = (typeof DAY_SECTIONS)[number];

export interface ReadDaysOptions {
  sections: readonly DaySection[];
  /** Only choices of this signature, with the histograms of their costs and durations. */
  signature?: number | undefined;
}

export interface DaysRead {
  tally: Tally;
  /** Newest first, without days that have no decisions. */
  days: CountedDay[];
  /** Days that were aggregated and are over: to be stored with `storeDecisionDay` after the snapshot. */
  aggregated: DecisionDay[];
  daysLeft: number;
  /** Traces that an older version stored, and that are not counted yet. */
  tracesLeft: number;
}

/** Stored days per statement. */
const CHUNK_DAYS = 10;
/** A visit to a long range aggregates no more days or traces than these; the next visit goes on. */
const MAX_AGGREGATED_DAYS = 31;
const MAX_AGGREGATED_TRACES = 20_000;
/** More are not counted one by one. */
export const MAX_TRACES_LEFT = 10_000;

interface ListedDay {
  day: string;
  /** Version at which the day was aggregated; -1 if it was not. */
  added: number;
  isAdded: boolean;
  isOver: boolean;
}

/** Figures of days that are stored and over, summed. They are valid as long as these days are listed with the same versions. */
export interface UnchangedDays {
  tally: Tally;
  days: CountedDay[];
  /** Stored in an older format, so they have to be aggregated again. */
  outdated: ListedDay[];
}

/** Return what `compute` returned before, or call it. */
interface DaysCaches {
  /** For the same version of the days. */
  unchanged: (version: number, compute: () => Promise<UnchangedDays>) => Promise<UnchangedDays>;
  /** Days that are not over, or changed since they were stored; for the same version of the workspace's totals. */
  changed: (day: string, compute: () => Promise<DayAggregate>) => Promise<DayAggregate>;
  /** The older traces of a day that is not over, for the same version of them. */
  settled?: SettledCache;
}

const NO_CACHES: DaysCaches = {
  unchanged: (_version, compute) => compute(),
  changed: (_day, compute) => compute(),
};

/**
 * Reads a range of days. Those that did not change since they were aggregated are stored; the others are aggregated from the facts of
 * their traces. Must run in a snapshot (repeatable read), and `version` is that of the workspace's totals in it.
 */
export async function readDays(
  db: Database,
  workspaceId: WorkspaceId,
  { range, version }: { range: DayRange; version: number },
  options: ReadDaysOptions,
  caches: DaysCaches = NO_CACHES,
): Promise<DaysRead> {
  const tracesLeft = await countWithoutDecisionFactsIn(db, workspaceId, range, MAX_TRACES_LEFT);
  const listed = await listDays(db, workspaceId, range);
  const isUnchanged = ({ isAdded, isOver }: ListedDay) => isAdded && isOver;
  const unchanged = listed.filter(isUnchanged);
  const base = await caches.unchanged(versionOf(unchanged), () =>
    sumUnchanged(db, workspaceId, unchanged, options),
  );
  const read: DaysRead = {
    tally: new Tally(base.tally),
    days: [...base.days],
    aggregated: [],
    daysLeft: 0,
    tracesLeft,
  };
  const budget = { days: MAX_AGGREGATED_DAYS, traces: MAX_AGGREGATED_TRACES };
  for (const { day, isOver } of [...listed.filter((one) => !isUnchanged(one)), ...base.outdated]) {
    // Today is never stored, so the budget is for the days before it: with it, a busy today would leave nothing for them.
    if (budget.days <= 0 || (isOver && budget.traces <= 0)) {
      read.daysLeft += 1;
      continue;
    }
    const { figures, traceCount } = await caches.changed(day, () =>
      aggregateDay(db, workspaceId, day, caches.settled),
    );
    budget.days -= 1;
    if (isOver) {
      budget.traces -= traceCount;
      read.aggregated.push({ day, version, ...figures });
    }
    await runInTimeSlices(addFigures(read, day, only(figures, options.sections), options));
  }
  read.days.sort((one, other) => (one.day < other.day ? 1 : -1));
  return read;
}

/** Changes if one of the days changes, or if there are others. */
const versionOf = (days: ListedDay[]) => hash53(days.map(({ day, added }) => `${day} ${added}`).join());

async function sumUnchanged(
  db: Database,
  workspaceId: WorkspaceId,
  days: ListedDay[],
  options: ReadDaysOptions,
): Promise<UnchangedDays> {
  const sum: UnchangedDays = { tally: new Tally(), days: [], outdated: [] };
  for (let start = 0; start < days.length; start += CHUNK_DAYS) {
    const chunk = days.slice(start, start + CHUNK_DAYS);
    const stored = await readStored(db, workspaceId, chunk, options.sections);
    for (const listed of chunk) {
      const figures = stored.get(listed.day);
      if (figures) await runInTimeSlices(addFigures(sum, listed.day, figures, options));
      else sum.outdated.push(listed);
    }
  }
  return sum;
}

async function listDays(
  db: Database,
  workspaceId: WorkspaceId,
  { from, to }: DayRange,
): Promise<ListedDay[]> {
  const { rows } = await sql<ListedDay>`
    select day::text as day, added, added >= changed as "isAdded", day < (now() at time zone 'utc')::date as "isOver"
    from decision_days where workspace_id = ${workspaceId} and day >= ${from}::date and day < ${to}::date
    order by day desc`.execute(db.withoutPlugins());
  return rows;
}

type Figures = { [section in DaySection]?: Buffer | null };

async function readStored(
  db: Database,
  workspaceId: WorkspaceId,
  days: ListedDay[],
  sections: readonly DaySection[],
): Promise<Map<string, Figures>> {
  const wanted = days.map(({ day }) => day);
  const { rows } = await sql<{ day: string } & Figures>`
    select day::text as day, ${sql.join(sections.map((section) => sql.ref(section)))}
    from decision_days where workspace_id = ${workspaceId} and day = any(${wanted}::date[])`.execute(
    db.withoutPlugins(),
  );
  const isCurrent = (figures: Figures) => sections.every((section) => isCurrentDay(figures[section] ?? null));
  return new Map(rows.filter(isCurrent).map((row) => [row.day, row]));
}

const only = (figures: Figures, sections: readonly DaySection[]): Figures =>
  Object.fromEntries(sections.map((section) => [section, figures[section]]));

function* addFigures(
  { tally, days }: Pick<DaysRead, "tally" | "days">,
  day: string,
  figures: Figures,
  { signature }: ReadDaysOptions,
): Generator<undefined, void> {
  const countedDay = new CountedDay(day);
  yield* mergeDay(tally, figures, { signature, hasHistograms: signature !== undefined, countedDay });
  days.push(countedDay);
  yield;
}
