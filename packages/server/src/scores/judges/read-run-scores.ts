import { MAX_COMPARED_JUDGEMENTS } from "@whytrace/contract/schemas/insights/judges";
import { SCORE_KINDS, SCORE_SOURCES, type ScoreSource } from "@whytrace/contract/schemas/scores";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { scoreConditions } from "../score-filter.ts";
import type { RunScore } from "./run-score.ts";

interface ScoreRow extends Omit<RunScore, "source" | "kind" | "spanId" | "decisionId"> {
  source: number;
  kind: number;
}

/** The newest scores of runs by these sources. Scores of spans and decisions are left out. */
export async function readRunScores(
  db: Database,
  workspaceId: WorkspaceId,
  filter: { name: string; author?: string | undefined; agent: string | undefined },
  sources: readonly ScoreSource[],
): Promise<RunScore[]> {
  const numbers = sources.map((source) => SCORE_SOURCES.indexOf(source));
  const { rows } = await sql<ScoreRow>`
    select newest.*, traces.agent_hash from (
      select scores.id, scores.trace_id, scores.name, scores.source, scores.author, scores.kind, scores.number, scores.label,
        to_char(scores.timestamp at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US') as timestamp
      from scores where ${scoreConditions(workspaceId, filter)} and scores.source = any(${numbers}::smallint[])
        and scores.span_id is null and scores.decision_point_id is null and not scores.is_waiting
      order by scores.timestamp desc, scores.id desc limit ${MAX_COMPARED_JUDGEMENTS}
    ) as newest join traces on traces.workspace_id = ${workspaceId} and traces.id = newest.trace_id`.execute(
    db,
  );
  return rows.map(({ source, kind, ...row }) => ({
    ...row,
    spanId: null,
    decisionId: null,
    source: SCORE_SOURCES[source] ?? "code",
    kind: SCORE_KINDS[kind] ?? "label",
  }));
}
