import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import { countWithoutFactsIn } from "../../trace-store/backfill-facts.ts";
import type { AddedDay } from "../../trace-store/keep-decision-day.ts";
import { addDay, isCurrentDay } from "./add-day.ts";
import { addUpDay } from "./add-up-day.ts";
import { CountedDay } from "./counted-day.ts";
import { encodeDay } from "./encode-day.ts";
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
const MAX_TRACES_LEFT = 10_000;

interface ListedDay {
  day: string;
  isAdded: boolean;
  isOver: boolean;
}

/**
 * Reads a range of days. Those that did not change since they were added up are stored; the others are added up from the facts of their
 * traces. Must run in a snapshot (repeatable read), and `version` is that of the user's totals in it.
 */
export async function readDays(
  db: Database,
  userId: string,
  { range, version }: { range: DayRange; version: number },
  options: ReadDaysOptions,
): Promise<DaysRead> {
  const tracesLeft = await countWithoutFactsIn(db, userId, range, MAX_TRACES_LEFT);
  const read: DaysRead = { tally: new Tally(), days: [], added: [], daysLeft: 0, tracesLeft };
  const listed = await listDays(db, userId, range);
  const budget = { days: MAX_ADDED_DAYS, traces: MAX_ADDED_TRACES };
  for (let start = 0; start < listed.length; start += CHUNK_DAYS) {
    const chunk = listed.slice(start, start + CHUNK_DAYS);
    const stored = await readStored(db, userId, chunk, options.sections);
    for (const { day, isOver } of chunk) {
      let figures = stored.get(day);
      if (!figures && (budget.days <= 0 || budget.traces <= 0)) {
        read.daysLeft += 1;
        continue;
      }
      if (!figures) {
        const { tally, traceCount } = await addUpDay(db, userId, day);
        const encoded = encodeDay(tally);
        budget.days -= 1;
        budget.traces -= traceCount;
        if (isOver) read.added.push({ day, version, ...encoded });
        figures = only(encoded, options.sections);
      }
      await runInTimeSlices(addFigures(read, day, figures, options));
    }
  }
  return read;
}

async function listDays(db: Database, userId: string, { from, to }: DayRange): Promise<ListedDay[]> {
  const { rows } = await sql<ListedDay>`
    select day::text as day, added >= changed as "isAdded", day < (now() at time zone 'utc')::date as "isOver"
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
  const wanted = days.filter(({ isAdded }) => isAdded).map(({ day }) => day);
  if (wanted.length === 0) return new Map();
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

/** One step, after which others may run. */
function* addFigures(
  { tally, days }: DaysRead,
  day: string,
  figures: Figures,
  { signature }: ReadDaysOptions,
): Generator<undefined, void> {
  const countedDay = new CountedDay(day);
  addDay(tally, figures, { signature, hasHistograms: signature !== undefined, countedDay });
  days.push(countedDay);
  yield;
}
