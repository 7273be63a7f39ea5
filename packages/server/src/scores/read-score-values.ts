import { SCORE_SOURCES, type ScoreValues } from "@whytrace/contract/schemas/scores";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { isFailingLabelSql } from "../outcomes/failing-label.ts";
import { type CountedRuns, countedScores } from "./counted-scores.ts";
import { cutsOfScale } from "./cuts-of-scale.ts";

const MAX_VALUES = 20;
/** More numbers than this are no list of values, but a scale. */
const MAX_NUMBERS = 11;
const MAX_JUDGES = 20;

interface ValueRow {
  value: string;
  isNumber: boolean;
  runs: number;
  isBad: boolean;
}

/** What was said under a name about ended runs, and which judges said it. */
export async function readScoreValues(
  db: Database,
  workspaceId: WorkspaceId,
  { name, ...counted }: CountedRuns & { name: string },
): Promise<ScoreValues> {
  const scored = sql`${countedScores(workspaceId, counted)} and scores.name = ${name}`;
  const [values, { runs, min, max }, judges] = await Promise.all([
    readValues(db, scored),
    readScale(db, scored),
    readJudges(db, scored),
  ]);
  const numbers =
    min === null || max === null ? null : { min, max, cuts: await readCuts(db, scored, { min, max }) };
  return { runs, values, numbers, judges };
}

async function readValues(db: Database, scored: RawBuilder<unknown>): Promise<ScoreValues["values"]> {
  const { rows } = await sql<ValueRow>`
    select value, is_number, count(distinct trace_id) as runs, bool_or(is_bad) as is_bad from (
      select scores.trace_id, scores.kind = 0 and scores.label is null as is_number,
        case when scores.kind = 1 then (scores.number = 1)::text else coalesce(scores.label, scores.number::text) end as value,
        (scores.kind = 1 and scores.number = 0) or ${isFailingLabelSql("scores.label")} as is_bad ${scored}
    ) as said group by value, is_number order by runs desc, value limit ${MAX_VALUES + MAX_NUMBERS + 1}`.execute(
    db,
  );
  const isScale = rows.filter(({ isNumber }) => isNumber).length > MAX_NUMBERS;
  return rows
    .filter(({ isNumber }) => !(isScale && isNumber))
    .slice(0, MAX_VALUES)
    .map(({ value, runs, isBad }) => ({ value, runs, isBad }));
}

async function readScale(db: Database, scored: RawBuilder<unknown>) {
  const { rows } = await sql<{ runs: number; min: number | null; max: number | null }>`
    select count(distinct scores.trace_id) as runs, min(scores.number) filter (where scores.kind = 0) as min,
      max(scores.number) filter (where scores.kind = 0) as max ${scored}`.execute(db);
  return rows[0] ?? { runs: 0, min: null, max: null };
}

async function readCuts(db: Database, scored: RawBuilder<unknown>, scale: { min: number; max: number }) {
  const cuts = cutsOfScale(scale);
  if (cuts.length === 0) return [];
  const { rows } = await sql<{ below: number; runs: number }>`
    select cut as below, count(distinct trace_id) as runs
    from (select scores.trace_id, scores.number as value ${scored} and scores.kind = 0) as numbers
      right join unnest(${cuts}::double precision[]) as cut on value < cut
    group by cut order by cut`.execute(db);
  return rows;
}

async function readJudges(db: Database, scored: RawBuilder<unknown>): Promise<ScoreValues["judges"]> {
  const sources = (["judge", "code"] as const).map((source) => SCORE_SOURCES.indexOf(source));
  const { rows } = await sql<ScoreValues["judges"][number]>`
    select nullif(scores.author, '') as author, count(distinct scores.trace_id) as runs, max(scores.timestamp) as last_at
    ${scored} and scores.source = any(${sources}::smallint[]) and scores.span_id is null and scores.decision_point_id is null
    group by scores.author order by runs desc, author limit ${MAX_JUDGES}`.execute(db);
  return rows;
}
