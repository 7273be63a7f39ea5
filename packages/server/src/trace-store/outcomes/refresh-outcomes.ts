import type { Status } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { releaseOf } from "../../decision-facts/release.ts";
import type { Definitions } from "../../outcomes/definition.ts";
import { problemsOfRun } from "../../outcomes/problems-of-run.ts";
import { dayOf } from "../counts/decision-days.ts";
import { readRunErrors } from "../problems/read-run-errors.ts";
import { personHash, type RunChange } from "../problems/run-problems.ts";
import {
  byDefinitions,
  type JudgedTrace,
  judgeStoredTraces,
  storedJudgement,
} from "./judge-stored-traces.ts";
import { markStoredTraces } from "./mark-stored-traces.ts";
import { splitBySize } from "./split-by-size.ts";

/** Traces of a workspace whose scores or outcomes changed. */
export interface ScoredChange {
  workspaceId: WorkspaceId;
  traces: { id: string; status: Status }[];
  /** The days of those with decisions. */
  days: ReadonlySet<string>;
  /** The problems of all that were judged. */
  runs: RunChange[];
}

/**
 * Judges traces again that the caller has locked, and writes the rows that change. Returns these. `before` has the problems of traces whose
 * rows this transaction has written already.
 */
export async function refreshOutcomes(
  trx: Database,
  workspaceId: WorkspaceId,
  ids: string[],
  definitions: Definitions,
  before?: ReadonlyMap<string, readonly number[]>,
): Promise<ScoredChange> {
  const traces: ScoredChange["traces"] = [];
  const days = new Set<string>();
  const runs: RunChange[] = [];
  if (ids.length === 0) return { workspaceId, traces, days, runs };
  for (const some of await splitBySize(trx, workspaceId, ids)) {
    const judged = await judgeStoredTraces(trx, workspaceId, some, byDefinitions(definitions));
    const marks = await markStoredTraces(trx, workspaceId, judged);
    const marksOf = ({ row }: JudgedTrace) => marks.get(row.id) ?? null;
    const judgedRuns = await problemsOfJudged(trx, workspaceId, judged);
    const keysOf = ({ row }: JudgedTrace) => (judgedRuns.get(row.id)?.problems ?? []).map(({ key }) => key);
    const changed = judged.filter((one) => isChanged(one, marksOf(one), keysOf(one)));
    if (changed.length > 0) await writeOutcomes(trx, workspaceId, changed, { marksOf, keysOf });
    for (const run of judgedRuns.values()) runs.push({ ...run, before: before?.get(run.id) ?? run.before });
    for (const { row } of changed) {
      traces.push({ id: row.id, status: row.status });
      if (row.decisionPointCount > 0) days.add(dayOf(row.startedAt));
    }
  }
  return { workspaceId, traces, days, runs };
}

/** The problems of judged traces, by id. Reads what failed runs failed with. */
async function problemsOfJudged(
  trx: Database,
  workspaceId: WorkspaceId,
  judged: readonly JudgedTrace[],
): Promise<ReadonlyMap<string, RunChange>> {
  const reasonsOf = ({ judgement: { outcome, reasons } }: JudgedTrace) => (outcome === "bad" ? reasons : []);
  const failed = judged.filter((one) => reasonsOf(one).some(({ kind }) => kind === "status"));
  const errors = await readRunErrors(
    trx,
    workspaceId,
    failed.map(({ row }) => row.id),
  );
  return new Map(
    judged.map((one) => {
      const { row, definition, scores } = one;
      const problems = problemsOfRun({
        name: row.name,
        definition,
        reasons: reasonsOf(one),
        scores,
        error: () => errors.get(row.id) ?? { message: null, spanId: null },
      });
      const run = {
        id: row.id,
        agentHash: agentHash(row.name),
        release: releaseOf(row),
        personHash: personHash(row.metadataPairs),
        startedAt: Date.parse(row.startedAt),
        createdAt: row.createdAt,
        before: row.problems,
        problems,
      };
      return [row.id, run];
    }),
  );
}

function isChanged(judged: JudgedTrace, marks: Uint8Array | null, keys: readonly number[]): boolean {
  const { row } = judged;
  const now = storedJudgement(judged);
  return (
    row.outcome !== now.outcome ||
    row.outcomeFlags !== now.outcomeFlags ||
    row.definition !== now.definition ||
    row.scoreCount !== now.scoreCount ||
    row.problems.length !== keys.length ||
    row.problems.some((key, index) => key !== keys[index]) ||
    Buffer.compare(row.marks ?? NOTHING, marks ?? NOTHING) !== 0
  );
}

const NOTHING = Buffer.alloc(0);

async function writeOutcomes(
  trx: Database,
  workspaceId: WorkspaceId,
  changed: JudgedTrace[],
  {
    marksOf,
    keysOf,
  }: { marksOf: (judged: JudgedTrace) => Uint8Array | null; keysOf: (judged: JudgedTrace) => number[] },
): Promise<void> {
  const sent = changed.map((judged) => {
    const marks = marksOf(judged);
    return {
      id: judged.row.id,
      ...storedJudgement(judged),
      marks: marks && Buffer.from(marks).toString("base64"),
      problems: keysOf(judged),
    };
  });
  await sql`
    update traces set outcome = sent.outcome, outcome_flags = sent."outcomeFlags", definition = sent.definition,
      score_count = sent."scoreCount", marks = sent.mark_bytes,
      problems = sent.problem_keys
    from (
      select *, decode(marks, 'base64') as mark_bytes,
        nullif(array(select json_array_elements_text(problems)::bigint), '{}') as problem_keys from json_to_recordset(${JSON.stringify(sent)}::json)
        as sent (id text, outcome smallint, "outcomeFlags" smallint, definition integer, "scoreCount" integer, marks text,
          problems json)
    ) as sent
    where traces.workspace_id = ${workspaceId} and traces.id = sent.id collate "C"`.execute(trx);
}
