import type { Status } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { Definitions } from "../../outcomes/definition.ts";
import { dayOf } from "../counts/decision-days.ts";
import {
  byDefinitions,
  type JudgedTrace,
  judgeStoredTraces,
  storedJudgement,
} from "./judge-stored-traces.ts";

/** Traces of a workspace whose scores or outcomes changed. */
export interface ScoredChange {
  workspaceId: WorkspaceId;
  traces: { id: string; status: Status }[];
  /** The days of those with decisions. */
  days: ReadonlySet<string>;
}

/** Judges traces again that the caller has locked, and writes the rows that change. Returns these. */
export async function refreshOutcomes(
  trx: Database,
  workspaceId: WorkspaceId,
  ids: string[],
  definitions: Definitions,
): Promise<ScoredChange> {
  if (ids.length === 0) return { workspaceId, traces: [], days: new Set() };
  const judged = await judgeStoredTraces(trx, workspaceId, ids, byDefinitions(definitions));
  const changed = judged.filter(isChanged);
  if (changed.length > 0) await writeOutcomes(trx, workspaceId, changed);
  return {
    workspaceId,
    traces: changed.map(({ row: { id, status } }) => ({ id, status })),
    days: new Set(changed.flatMap(({ row }) => (row.decisionPointCount > 0 ? dayOf(row.startedAt) : []))),
  };
}

function isChanged(judged: JudgedTrace): boolean {
  const { row } = judged;
  const now = storedJudgement(judged);
  return (
    row.outcome !== now.outcome ||
    row.outcomeFlags !== now.outcomeFlags ||
    row.definition !== now.definition ||
    row.scoreCount !== now.scoreCount
  );
}

async function writeOutcomes(trx: Database, workspaceId: WorkspaceId, changed: JudgedTrace[]): Promise<void> {
  const sent = changed.map((judged) => ({ id: judged.row.id, ...storedJudgement(judged) }));
  await sql`
    update traces set outcome = sent.outcome, outcome_flags = sent."outcomeFlags", definition = sent.definition,
      score_count = sent."scoreCount"
    from json_to_recordset(${JSON.stringify(sent)}::json)
      as sent (id text, outcome smallint, "outcomeFlags" smallint, definition integer, "scoreCount" integer)
    where traces.workspace_id = ${workspaceId} and traces.id = sent.id collate "C"`.execute(trx);
}
