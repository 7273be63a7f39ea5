import type { DecisionPointType, EventType, Status } from "@whytrace/contract";
import { RUN_OUTCOMES } from "@whytrace/contract/schemas/outcomes";
import { SCORE_KINDS, SCORE_SOURCES } from "@whytrace/contract/schemas/scores";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { type Definition, type Definitions, definitionNumber } from "../../outcomes/definition.ts";
import { type Judgement, judgeRun } from "../../outcomes/judge-run.ts";
import { ASKED_KEY, type JudgedScore } from "../../outcomes/judged-run.ts";
import { MAX_METADATA_BYTES } from "../rows/metadata-pairs.ts";
import { looksAt, parseMetadata } from "./outcome-columns.ts";

/** A stored trace, and how it is judged now. */
export interface JudgedTrace {
  row: StoredTrace;
  definition: Definition;
  scores: JudgedScore[];
  judgement: Judgement;
}

interface StoredTrace {
  id: string;
  name: string;
  status: Status;
  tags: string[];
  metadata: string | null;
  metadataPairs: string[] | null;
  totalCost: number | null;
  totalDuration: number | null;
  startedAt: string;
  spanCount: number;
  decisionPointCount: number;
  agentHash: number;
  outcome: number;
  outcomeFlags: number;
  definition: number;
  marks: Buffer | null;
  scoreCount: number;
  createdAt: string;
  serviceVersion: string | null;
  /** The keys of the problems that it has. */
  problems: number[];
}

interface ScoreRow extends Omit<JudgedScore, "source" | "kind"> {
  traceId: string;
  source: number;
  kind: number;
}

/** Judges stored traces, each by the definition that `definitionOf` gives it. Reads only what these definitions look at. */
export async function judgeStoredTraces(
  db: Database,
  workspaceId: WorkspaceId,
  ids: string[],
  definitionOf: (row: StoredTrace) => Definition,
): Promise<JudgedTrace[]> {
  const [rows, scores] = await Promise.all([
    readTraces(db, workspaceId, ids),
    readScores(db, workspaceId, ids),
  ]);
  const defined = rows.map((row) => ({ row, definition: definitionOf(row) }));
  const idsWith = (kind: "event" | "decision") =>
    defined.flatMap(({ row, definition }) => (looksAt(definition, kind) ? row.id : []));
  const [events, decisions] = await Promise.all([
    readEvents(db, workspaceId, idsWith("event")),
    readDecisions(db, workspaceId, idsWith("decision")),
  ]);
  return defined.map(({ row, definition }) => {
    const own = scores.get(row.id) ?? [];
    const run = {
      ...row,
      metadata: parseMetadata(row.metadata, row.metadataPairs),
      events: events.get(row.id) ?? [],
      decisions: decisions.get(row.id) ?? [],
    };
    return { row, definition, scores: own, judgement: judgeRun(run, own, definition) };
  });
}

/** Judges by the definitions that are in force. */
export const byDefinitions = (definitions: Definitions) => (row: StoredTrace) => definitions.of(row.name);

/** What the row of a judged trace should say. */
export const storedJudgement = ({ definition, scores, judgement }: JudgedTrace) => ({
  outcome: RUN_OUTCOMES.indexOf(judgement.outcome),
  outcomeFlags: judgement.flags,
  definition: definitionNumber(definition),
  scoreCount: scores.length,
});

async function readTraces(db: Database, workspaceId: WorkspaceId, ids: string[]): Promise<StoredTrace[]> {
  const { rows } = await sql<Omit<StoredTrace, "problems"> & { problems: string[] | null }>`
    select id, name, status, tags, metadata_pairs, total_cost, total_duration, started_at, span_count, decision_point_count,
      agent_hash, outcome, outcome_flags, definition, marks, score_count, created_at, service_version,
      problems::text[] as problems,
      case when octet_length(metadata::text) <= ${MAX_METADATA_BYTES}
        and (metadata_pairs is not null or position(${ASKED_KEY} in metadata::text) > 0) then metadata end as metadata
    from traces where workspace_id = ${workspaceId} and id = any(${textList(ids)}) order by id`.execute(db);
  return rows.map(({ problems, ...row }) => ({ ...row, problems: (problems ?? []).map(Number) }));
}

async function readScores(
  db: Database,
  workspaceId: WorkspaceId,
  ids: string[],
): Promise<ReadonlyMap<string, JudgedScore[]>> {
  const { rows } = await sql<ScoreRow>`
    select trace_id, id, span_id, decision_point_id as decision_id, name, source, author, kind, number, label,
      to_char(timestamp at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS.US') as timestamp
    from scores where workspace_id = ${workspaceId} and trace_id = any(${textList(ids)}) and not is_waiting
    order by timestamp, id`.execute(db);
  const scores = new Map<string, JudgedScore[]>();
  for (const { traceId, source, kind, ...row } of rows) {
    const score = { ...row, source: SCORE_SOURCES[source] ?? "code", kind: SCORE_KINDS[kind] ?? "label" };
    const own = scores.get(traceId);
    if (own) own.push(score);
    else scores.set(traceId, [score]);
  }
  return scores;
}

interface EventRow {
  traceId: string;
  id: string;
  type: EventType;
  name: string;
}

async function readEvents(db: Database, workspaceId: WorkspaceId, ids: string[]) {
  if (ids.length === 0) return new Map<string, EventRow[]>();
  const { rows } = await sql<EventRow>`
    select trace_id, id, type, name from events
    where workspace_id = ${workspaceId} and trace_id = any(${textList(ids)}) order by trace_id, position`.execute(
    db,
  );
  return Map.groupBy(rows, ({ traceId }) => traceId);
}

interface DecisionRow {
  traceId: string;
  id: string;
  type: DecisionPointType;
  option: string | null;
}

async function readDecisions(db: Database, workspaceId: WorkspaceId, ids: string[]) {
  if (ids.length === 0) return new Map<string, DecisionRow[]>();
  const { rows } = await sql<DecisionRow>`
    select trace_id, id, type, choice as option from decision_points
    where workspace_id = ${workspaceId} and trace_id = any(${textList(ids)}) order by trace_id, position`.execute(
    db,
  );
  return Map.groupBy(rows, ({ traceId }) => traceId);
}
