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
import { markStoredTraces } from "./mark-stored-traces.ts";
import { splitBySize } from "./split-by-size.ts";

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
  const traces: ScoredChange["traces"] = [];
  const days = new Set<string>();
  if (ids.length === 0) return { workspaceId, traces, days };
  for (const some of await splitBySize(trx, workspaceId, ids)) {
    const judged = await judgeStoredTraces(trx, workspaceId, some, byDefinitions(definitions));
    const marks = await markStoredTraces(trx, workspaceId, judged);
    const marksOf = ({ row }: JudgedTrace) => marks.get(row.id) ?? null;
    const changed = judged.filter((one) => isChanged(one, marksOf(one)));
    if (changed.length > 0) await writeOutcomes(trx, workspaceId, changed, marksOf);
    for (const { row } of changed) {
      traces.push({ id: row.id, status: row.status });
      if (row.decisionPointCount > 0) days.add(dayOf(row.startedAt));
    }
  }
  return { workspaceId, traces, days };
}

function isChanged(judged: JudgedTrace, marks: Uint8Array | null): boolean {
  const { row } = judged;
  const now = storedJudgement(judged);
  return (
    row.outcome !== now.outcome ||
    row.outcomeFlags !== now.outcomeFlags ||
    row.definition !== now.definition ||
    row.scoreCount !== now.scoreCount ||
    Buffer.compare(row.marks ?? NOTHING, marks ?? NOTHING) !== 0
  );
}

const NOTHING = Buffer.alloc(0);

async function writeOutcomes(
  trx: Database,
  workspaceId: WorkspaceId,
  changed: JudgedTrace[],
  marksOf: (judged: JudgedTrace) => Uint8Array | null,
): Promise<void> {
  const sent = changed.map((judged) => {
    const marks = marksOf(judged);
    return {
      id: judged.row.id,
      ...storedJudgement(judged),
      marks: marks && Buffer.from(marks).toString("base64"),
    };
  });
  await sql`
    update traces set outcome = sent.outcome, outcome_flags = sent."outcomeFlags", definition = sent.definition,
      score_count = sent."scoreCount", marks = sent.mark_bytes
    from (
      select *, decode(marks, 'base64') as mark_bytes from json_to_recordset(${JSON.stringify(sent)}::json)
        as sent (id text, outcome smallint, "outcomeFlags" smallint, definition integer, "scoreCount" integer, marks text)
    ) as sent
    where traces.workspace_id = ${workspaceId} and traces.id = sent.id collate "C"`.execute(trx);
}
