import { hash53 } from "@whytrace/contract";
import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import { countWithoutFactsIn } from "../../trace-store/backfill-facts.ts";
import type { AddedDay } from "../../trace-store/keep-decision-day.ts";
import { addDay, isCurrentDay } from "./add-day.ts";
import { type AddedUpDay, addUpDay, type SettledCache } from "./add-up-day.ts";
import { CountedDay } from "./counted-day.ts";
import { Tally } from "./tally.ts";

/** Whole days in UTC, YYYY-MM-DD; `to` is exclusive. */
export interface DayRange {
  from: string;
  to: string;
}

export const DAY_SECTIONS = ["choices", "transitions", "errors"] as const;
export type DaySection = (typeof DAY_SECTIONS)[number];

export interface ReadDaysOptions {
  sections: readonly DaySection[];
  /** Only choices of this signature, with the histograms of their costs and durations. */
  signature?: number | undefined;
}

export interface DaysRead {
  tally: Tally;
  /** Newest first, without days that have no decisions. */
  days: CountedDay[];
  /** Days that were added up and are over: to be stored with `keepDecisionDay` after the snapshot. */
  added: AddedDay[];
  daysLeft: number;
  /** Traces that an older version stored, and that are not counted yet. */
  tracesLeft: number;
}

/** So many stored days are read at a time. */
const CHUNK_DAYS = 10;
/** A first visit to a long range adds up so many days or traces, whichever comes first, and the next visit goes on. */
const MAX_ADDED_DAYS = 31;
const MAX_ADDED_TRACES = 20_000;
/** More are not counted one by one. */
export const MAX_TRACES_LEFT = 10_000;

interface ListedDay {
  day: string;
  /** Version at which the day was added up; -1 if it was not. */
  added: number;
  isAdded: boolean;
  isOver: boolean;
}

/** Figures of days that are stored and over, added up. They are valid as long as these days are listed with the same versions. */
export interface UnchangedDays {
  tally: Tally;
  days: CountedDay[];
  /** Stored in an older format, so they have to be added up again. */
  outdated: ListedDay[];
}

/** Return what `compute` returned before, or call it. */
export interface DaysCaches {
  /** For the same version of the days. */
  unchanged: (version: number, compute: () => Promise<UnchangedDays>) => Promise<UnchangedDays>;
  /** Days that are not over, or changed since they were stored; for the same version of the user's totals. */
  changed: (day: string, compute: () => Promise<AddedUpDay>) => Promise<AddedUpDay>;
  /** The older traces of a day that is not over, for the same version of them. */
  settled?: SettledCache;
}

const NO_CACHES: DaysCaches = {
  unchanged: (_version, compute) => compute(),
  changed: (_day, compute) => compute(),
};

/**
 * Reads a range of days. Those that did not change since they were added up are stored; the others are added up from the facts of their
 * traces. Must run in a snapshot (repeatable read), and `version` is that of the user's totals in it.
 */
export async function readDays(
  db: Database,
  userId: string,
  { range, version }: { range: DayRange; version: number },
  options: ReadDaysOptions,
  caches: DaysCaches = NO_CACHES,
): Promise<DaysRead> {
  const tracesLeft = await countWithoutFactsIn(db, userId, range, MAX_TRACES_LEFT);
  const listed = await listDays(db, userId, range);
  const isUnchanged = ({ isAdded, isOver }: ListedDay) => isAdded && isOver;
  const unchanged = listed.filter(isUnchanged);
  const base = await caches.unchanged(versionOf(unchanged), () =>
    addUnchanged(db, userId, unchanged, options),
  );
  const read: DaysRead = {
    tally: new Tally(base.tally),
    days: [...base.days],
    added: [],
    daysLeft: 0,
    tracesLeft,
  };
  const budget = { days: MAX_ADDED_DAYS, traces: MAX_ADDED_TRACES };
  for (const { day, isOver } of [...listed.filter((one) => !isUnchanged(one)), ...base.outdated]) {
    // Today is never stored, so the budget is for the days before it: with it, a busy today would leave nothing for them.
    if (budget.days <= 0 || (isOver && budget.traces <= 0)) {
      read.daysLeft += 1;
      continue;
    }
    const { figures, traceCount } = await caches.changed(day, () =>
      addUpDay(db, userId, day, caches.settled),
    );
    budget.days -= 1;
    if (isOver) {
      budget.traces -= traceCount;
      read.added.push({ day, version, ...figures });
    }
    await runInTimeSlices(addFigures(read, day, only(figures, options.sections), options));
  }
  read.days.sort((one, other) => (one.day < other.day ? 1 : -1));
  return read;
}

/** Changes if one of the days changes, or if there are others. */
const versionOf = (days: ListedDay[]) => hash53(days.map(({ day, added }) => `${day} ${added}`).join());

async function addUnchanged(
  db: Database,
  userId: string,
  days: ListedDay[],
  options: ReadDaysOptions,
): Promise<UnchangedDays> {
  const added: UnchangedDays = { tally: new Tally(), days: [], outdated: [] };
  for (let start = 0; start < days.length; start += CHUNK_DAYS) {
    const chunk = days.slice(start, start + CHUNK_DAYS);
    const stored = await readStored(db, userId, chunk, options.sections);
    for (const listed of chunk) {
      const figures = stored.get(listed.day);
      if (figures) await runInTimeSlices(addFigures(added, listed.day, figures, options));
      else added.outdated.push(listed);
    }
  }
  return added;
}

async function listDays(db: Database, userId: string, { from, to }: DayRange): Promise<ListedDay[]> {
  const { rows } = await sql<ListedDay>`
    select day::text as day, added, added >= changed as "isAdded", day < (now() at time zone 'utc')::date as "isOver"
    from decision_days where user_id = ${userId} and day >= ${from}::date and day < ${to}::date
    order by day desc`.execute(db.withoutPlugins());
  return rows;
}

type Figures = { [section in DaySection]?: Buffer | null };

async function readStored(
  db: Database,
  userId: string,
  days: ListedDay[],
  sections: readonly DaySection[],
): Promise<Map<string, Figures>> {
  const wanted = days.map(({ day }) => day);
  const { rows } = await sql<{ day: string } & Figures>`
    select day::text as day, ${sql.join(sections.map((section) => sql.ref(section)))}
    from decision_days where user_id = ${userId} and day = any(${wanted}::date[])`.execute(
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
  yield* addDay(tally, figures, { signature, hasHistograms: signature !== undefined, countedDay });
  days.push(countedDay);
  yield;
}
