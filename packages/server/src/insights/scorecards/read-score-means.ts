import { hash32ToHex, type ScoreMeans } from "@whytrace/contract";
import { SCORE_SOURCES, type ScoreSource } from "@whytrace/contract/schemas/scores";
import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { decodeDecisionFacts } from "../../decision-facts/decode-decision-facts.ts";
import { hasSignature } from "../../traces/decision-conditions.ts";
import { filterConditions } from "../../traces/trace-filter.ts";
import { limitFacts } from "../limit-facts.ts";
import { startedIn } from "../started-in.ts";
import { meanInterval } from "../statistics/compare-means.ts";
import { meanBySession, type SessionValue } from "../statistics/mean-by-session.ts";
import type { ScorecardQuery } from "./scorecard.ts";

/** As many as findings count. */
const MAX_RUNS = 1_000;
const MAX_NAMES = 4;
/** Whose scores count if several judged the same, as in outcomes. */
const PRECEDENCE: readonly ScoreSource[] = ["person", "code", "user", "judge"];

interface ScoredRun {
  id: string;
  facts: Buffer;
}

interface ScoreRow {
  traceId: string;
  name: string;
  source: number;
  /** On the run; else on spans and decisions of it. */
  isOfRun: boolean;
  isBoolean: boolean;
  value: number;
}

/** The value that each name has in a run, by the id of its trace. */
type ValuesByName = ReadonlyMap<string, { isShare: boolean; values: ReadonlyMap<string, number> }>;

/** What numbers and booleans were on average in the newest runs that chose an option of a decision. */
export async function readScoreMeans(
  db: Database,
  workspaceId: WorkspaceId,
  { signature, range, ...named }: ScorecardQuery,
): Promise<ScoreMeans> {
  const conditions = [startedIn(range), hasSignature(signature), ...filterConditions(workspaceId, named)];
  const newest = sql`
    select id, started_at, decision_facts as facts from traces
    where workspace_id = ${workspaceId} and status <> 'RUNNING' and score_count > 0 and ${sql.join(conditions, sql` and `)}
    order by started_at desc, id desc limit ${MAX_RUNS}`;
  const { rows: runs } = await sql<ScoredRun>`
    select id, facts from (${limitFacts(newest, sql`started_at desc, id desc`)}) as newest`.execute(db);
  const byName = valuesByName(
    await readScores(
      db,
      workspaceId,
      runs.map(({ id }) => id),
    ),
  );
  const choices = await runInTimeSlices(findChoices(runs, signature));
  const names = [...byName]
    .sort(([one, a], [other, b]) => b.values.size - a.values.size || (one < other ? -1 : 1))
    .slice(0, MAX_NAMES);
  return {
    read: runs.length,
    names: names.map(([name, { isShare, values }]) => ({
      name,
      isShare,
      runs: values.size,
      options: describeOptions(choices, values),
    })),
  };
}

async function readScores(db: Database, workspaceId: WorkspaceId, ids: string[]): Promise<ScoreRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ScoreRow>`
    select trace_id, name, source, span_id is null and decision_point_id is null as is_of_run,
      bool_and(kind = 1) as is_boolean, avg(number) as value
    from scores
    where workspace_id = ${workspaceId} and trace_id = any(${textList(ids)}) and not is_waiting and kind in (0, 1)
    group by trace_id, name, source, is_of_run`.execute(db);
  return rows;
}

/** Of several scores of a name the place nearest to the run counts, then the source. */
function valuesByName(rows: readonly ScoreRow[]): ValuesByName {
  const rank = ({ isOfRun, source }: ScoreRow) =>
    (isOfRun ? 0 : PRECEDENCE.length) + PRECEDENCE.indexOf(SCORE_SOURCES[source] ?? "judge");
  const byName = new Map<string, { isShare: boolean; values: Map<string, number> }>();
  for (const row of rows.toSorted((one, other) => rank(one) - rank(other))) {
    const known = byName.get(row.name) ?? { isShare: true, values: new Map<string, number>() };
    byName.set(row.name, known);
    if (!row.isBoolean) known.isShare = false;
    if (!known.values.has(row.traceId)) known.values.set(row.traceId, row.value);
  }
  return byName;
}

interface Choice {
  step: number;
  traceId: string;
  session: string;
}

/** Every decision of the signature. */
function* findChoices(runs: readonly ScoredRun[], signature: number): Generator<undefined, Choice[]> {
  const choices: Choice[] = [];
  for (const { id, facts } of runs) {
    const { cluster = 0, decisions = [] } = decodeDecisionFacts(facts) ?? {};
    const session = cluster === 0 ? `run ${id}` : `${cluster}`;
    for (const decision of decisions)
      if (decision.signature === signature) choices.push({ step: decision.step, traceId: id, session });
    yield;
  }
  return choices;
}

function describeOptions(choices: readonly Choice[], values: ReadonlyMap<string, number>) {
  return [...Map.groupBy(choices, ({ step }) => step)]
    .map(([step, chosen]) => {
      const scored = chosen.filter(({ traceId }) => values.has(traceId));
      const runs = new Set(scored.map(({ traceId }) => traceId)).size;
      const sessionValues = scored.map(
        ({ traceId, session }): SessionValue => ({ session, value: values.get(traceId) ?? 0 }),
      );
      const mean = meanBySession(sessionValues);
      return {
        step: hash32ToHex(step),
        decisions: scored.length,
        runs,
        mean: mean.sessions < 2 ? null : meanInterval(mean),
      };
    })
    .sort((one, other) => other.decisions - one.decisions || (one.step < other.step ? -1 : 1));
}
