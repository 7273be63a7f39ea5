import { SCORE_KINDS, SCORE_SOURCES, type ScoreSummary } from "@whytrace/contract/schemas/scores";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { isFailingLabelSql } from "../outcomes/failing-label.ts";
import { type CountedRuns, countedScores, isCounted } from "./counted-scores.ts";
import { isOneSided } from "./is-one-sided.ts";
import { meanInterval } from "./mean-interval.ts";

const MAX_NAMES = 100;
/** A time range has no more days. */
const MAX_DAYS = 101;
const MAX_EXAMPLES = 5;

interface DayRow {
  name: string;
  day: string;
  runs: number;
  /** A bit for each number of a kind, and of a source. */
  kinds: number;
  sources: number;
  lastAt: string;
  said: number;
  bad: number;
  /** Runs with a number or boolean, and the sums of what they have on average. */
  valued: number;
  sum: number | null;
  squares: number | null;
  min: number | null;
  max: number | null;
}

type Name = ScoreSummary["names"][number];

const IS_BAD = sql`(scores.kind = 1 and scores.number = 0) or ${isFailingLabelSql("scores.label")}`;
const SAYS = sql`(scores.kind = 1 or scores.label is not null)`;

/** What the scores of each name say about ended runs, in all and by day. */
export async function summariseScores(
  db: Database,
  workspaceId: WorkspaceId,
  counted: CountedRuns,
): Promise<Omit<ScoreSummary, "from" | "to">> {
  const [days, { runs, scoredRuns }, judgesAndUsers] = await Promise.all([
    readDays(db, workspaceId, counted),
    countRuns(db, workspaceId, counted),
    compareJudgesAndUsers(db, countedScores(workspaceId, counted)),
  ]);
  const names = [...Map.groupBy(days, ({ name }) => name)].map(([name, own]) => summarise(name, own));
  return {
    runs,
    scoredRuns,
    names: names.slice(0, MAX_NAMES),
    isTruncated: names.length > MAX_NAMES,
    judgesAndUsers,
  };
}

/** A run started on one day, so the days of a name can be added up. */
async function readDays(db: Database, workspaceId: WorkspaceId, counted: CountedRuns): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select name, day::text as day, count(*) as runs, bit_or(kinds) as kinds, bit_or(sources) as sources, max(last_at) as last_at,
      count(*) filter (where says) as said, count(*) filter (where is_bad) as bad, count(value) as valued, sum(value) as sum,
      sum(value * value) as squares, min(min) as min, max(max) as max
    from (
      select scores.name, scores.trace_id, (traces.started_at at time zone 'utc')::date as day, bit_or(1 << scores.kind) as kinds,
        bit_or(1 << scores.source) as sources, max(scores.timestamp) as last_at, bool_or(${SAYS}) as says,
        bool_or(${IS_BAD}) as is_bad, avg(scores.number) as value, min(scores.number) filter (where scores.kind = 0) as min,
        max(scores.number) filter (where scores.kind = 0) as max
      ${countedScores(workspaceId, counted)} group by scores.name, scores.trace_id, day
    ) as runs group by name, day order by name, day limit ${(MAX_NAMES + 1) * MAX_DAYS}`.execute(db);
  return rows;
}

function summarise(name: string, days: readonly DayRow[]): Name {
  const total = (countOf: (day: DayRow) => number | null) =>
    days.reduce((sum, day) => sum + (countOf(day) ?? 0), 0);
  const bits = (bitsOf: (day: DayRow) => number) => days.reduce((all, day) => all | bitsOf(day), 0);
  const named = <T extends string>(all: readonly T[], found: number) =>
    all.filter((_, index) => found & (1 << index)).sort();
  const numbers = days.flatMap(({ min, max }) => (min === null || max === null ? [] : [min, max]));
  const valued = total((day) => day.valued);
  const mean = valued === 0 ? null : total(({ sum }) => sum) / valued;
  const deviation =
    mean === null || valued < 2
      ? null
      : Math.sqrt(Math.max(0, total(({ squares }) => squares) - valued * mean * mean) / (valued - 1));
  const said = total((day) => day.said);
  const bad = total((day) => day.bad);
  return {
    name,
    kinds: named(
      SCORE_KINDS,
      bits((day) => day.kinds),
    ),
    sources: named(
      SCORE_SOURCES,
      bits((day) => day.sources),
    ),
    runs: total((day) => day.runs),
    said,
    bad,
    mean,
    ...meanInterval(mean, deviation, valued),
    min: numbers.length === 0 ? null : Math.min(...numbers),
    max: numbers.length === 0 ? null : Math.max(...numbers),
    lastAt:
      days
        .map((day) => day.lastAt)
        .sort()
        .at(-1) ?? "",
    isOneSided: isOneSided({ said, bad }),
    days: days.map((day) => ({
      day: day.day,
      runs: day.runs,
      bad: day.bad,
      mean: day.valued === 0 || day.sum === null ? null : day.sum / day.valued,
    })),
  };
}

async function countRuns(db: Database, workspaceId: WorkspaceId, counted: CountedRuns) {
  const { rows } = await sql<{ runs: number; scoredRuns: number }>`
    select count(*) as runs, count(*) filter (where score_count > 0) as scored_runs
    from traces where ${isCounted(workspaceId, counted)}`.execute(db);
  return rows[0] ?? { runs: 0, scoredRuns: 0 };
}

/** Scores of spans and decisions count, too: users and judges speak about the same run. */
async function compareJudgesAndUsers(
  db: Database,
  scored: ReturnType<typeof countedScores>,
): Promise<ScoreSummary["judgesAndUsers"]> {
  const user = SCORE_SOURCES.indexOf("user");
  const judge = SCORE_SOURCES.indexOf("judge");
  const { rows } = await sql<{ runs: number; differ: number; examples: { traceId: string; name: string }[] }>`
    select count(*) as runs, count(*) filter (where user_bad <> judge_bad) as differ, coalesce(
      (array_agg(json_build_object('traceId', trace_id, 'name', name) order by started_at desc, trace_id)
        filter (where user_bad <> judge_bad))[:${sql.lit(MAX_EXAMPLES)}], '{}') as examples
    from (
      select scores.trace_id, traces.name, traces.started_at, bool_or(${IS_BAD}) filter (where scores.source = ${user}) as user_bad,
        bool_or(${IS_BAD}) filter (where scores.source = ${judge}) as judge_bad
      ${scored} and ${SAYS} and scores.source in (${user}, ${judge})
      group by scores.trace_id, traces.name, traces.started_at
    ) as judged where user_bad is not null and judge_bad is not null`.execute(db);
  return rows[0] ?? { runs: 0, differ: 0, examples: [] };
}
