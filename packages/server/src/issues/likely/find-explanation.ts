import { isTooFewRuns } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { FACTS_DECISION_BYTES } from "../../decision-facts/decision-facts.ts";
import type { BlamedRun } from "../../insights/blame/blame-run.ts";
import { blameStoredRun } from "../../insights/blame/blame-stored-run.ts";
import type { RunLearner } from "../../insights/blame/run-learner.ts";
import type { StoredExplanation, StoredLikely, StoredUnexplained } from "./stored-explanation.ts";

const NEWEST_RUNS = 5;
const MIN_AGREEING = 3;
/** A run of very many decisions takes seconds to blame. Its own page does that. */
const MAX_FACTS_BYTES = 2_000 * FACTS_DECISION_BYTES;

interface RunOfIssue {
  traceId: string;
  /** Whether the problem is no error: a score, or another condition. */
  isByReason: boolean;
}

/**
 * The decision that most of an issue's newest runs are explained by: the first suspect of at least 3 of 5, or of all if there are
 * fewer. Its word is the weakest of theirs. If there is none: why not.
 */
export async function findExplanation(
  learner: RunLearner,
  workspaceId: WorkspaceId,
  number: number,
): Promise<StoredExplanation> {
  const runs = await learner.connections.run(workspaceId, (db) => readNewestRuns(db, workspaceId, number));
  const blamed: BlamedRun[] = [];
  for (const run of runs) {
    const found = await blameStoredRun(learner, workspaceId, run);
    if (found) blamed.push(found);
  }
  const suspects = blamed.flatMap((run) => firstSuspect(run) ?? []);
  const [agreeing = []] = [...Map.groupBy(suspects, ({ step }) => step).values()].sort(
    (a, b) => b.length - a.length,
  );
  const [newest] = agreeing;
  const needed = runs.length < NEWEST_RUNS ? runs.length : MIN_AGREEING;
  if (!newest || agreeing.length < needed) return unexplained(runs.length, blamed);
  const alternativeStep = agreeing.map((one) => one.alternativeStep).find((step) => step !== null) ?? null;
  const word = agreeing.every((one) => one.word === "likely") ? "likely" : "possible";
  return { ...newest, alternativeStep, word };
}

/** In the words that are said of each of the runs. */
function unexplained(runs: number, blamed: readonly BlamedRun[]): StoredUnexplained {
  const { comparedRuns = 0, badRuns = 0 } = blamed[0] ?? {};
  const isExplained = ({ suspects: [first] }: BlamedRun) => first !== undefined && first.word !== "none";
  const isUnknown = (run: BlamedRun) => run.suspects.length > 0 && isTooFewRuns(run);
  const reason = blamed.some(isExplained)
    ? "varies"
    : blamed.some(isUnknown)
      ? "too-few-runs"
      : runs === 0
        ? "pending"
        : "none";
  return { word: "none", reason, comparedRuns, badRuns };
}

async function readNewestRuns(db: Database, workspaceId: WorkspaceId, number: number): Promise<RunOfIssue[]> {
  const newest = sql`
    select newest.trace_id, bool_and(newest.kind <> 0) as is_by_reason, max(newest.started_at) as started_at
    from issue_problems cross join lateral (
      select trace_id, kind, started_at from problem_runs
      where workspace_id = ${workspaceId} and problem = issue_problems.problem
      order by started_at desc, trace_id limit ${NEWEST_RUNS}) as newest
    where issue_problems.workspace_id = ${workspaceId} and issue_problems.number = ${number}
    group by newest.trace_id order by started_at desc, newest.trace_id limit ${NEWEST_RUNS}`;
  const { rows } = await sql<RunOfIssue>`
    select runs.trace_id, runs.is_by_reason
    from (${newest}) as runs
      join traces on traces.workspace_id = ${workspaceId} and traces.id = runs.trace_id
        and coalesce(octet_length(traces.decision_facts), 0) <= ${MAX_FACTS_BYTES}
    order by runs.started_at desc, runs.trace_id`.execute(db);
  return rows;
}

/** Undefined if nothing explains the run, or that an option was left out. */
function firstSuspect({ suspects, partner, learnt }: BlamedRun): StoredLikely | undefined {
  const first = suspects.find(({ kind, share }) => kind === "chose" || share > 0);
  const option = first && learnt.options[first.option];
  if (!option || first.kind !== "chose" || first.word === "none") return undefined;
  const figures = learnt.blamer.figuresOf("chose", first.option);
  const decisions = figures?.comparable ?? 0;
  const chosenByPartner =
    partner === null
      ? []
      : (learnt.counted.runs[learnt.traceIds.indexOf(partner.traceId)]?.turns[partner.turn] ?? []);
  const alternative = chosenByPartner
    .map((chosen) => learnt.options[chosen])
    .find((chosen) => chosen?.signature === option.signature);
  return {
    word: first.word,
    signature: option.signature,
    step: option.step,
    alternativeStep: alternative?.step ?? null,
    failed: Math.round((figures?.rate ?? 0) * decisions),
    decisions: Math.round(decisions),
    alternativeRate: figures?.otherRate ?? null,
  };
}
