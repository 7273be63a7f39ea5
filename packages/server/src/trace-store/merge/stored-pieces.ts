import {
  type DecisionPointType,
  type ModelUsage,
  type ParsedSpan,
  type ParsedTrace,
  SENT_PRICE,
  type SpanType,
  type Status,
} from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { LockedTrace } from "../batch/claim-ids.ts";
import { type MergeState, NEW_MERGE_STATE } from "../rows/merge-state.ts";
import type { PostedSpan } from "../rows/trace-piece.ts";
import { lockPendingParts } from "./lock-pending-parts.ts";
import type { PlannedMerge } from "./plan-merge.ts";

interface StoredDecision {
  type: DecisionPointType;
  position: number;
  /** Null if it was posted, not derived. */
  hash: Buffer | null;
}

export interface StoredPart {
  /** A number as text: it may be larger than 2^53. */
  part: string;
  facts: Buffer;
  /** Whether it waited for its trace. */
  isPending: boolean;
}

/** The row of a span that is sent again, without payloads. */
interface StoredSpan {
  position: number;
  span: ParsedSpan;
}

/** What is stored of a trace, as far as merging a piece needs it. */
export interface StoredPieces {
  state: MergeState;
  /** What the trace is derived from, in the order in which it was stored. Empty if the trace is not derived now. */
  parts: readonly StoredPart[];
  /** By id, those of the piece's spans that exist. */
  spans: ReadonlyMap<string, StoredSpan>;
  /** By id. Empty if the trace is not derived now. */
  decisions: ReadonlyMap<string, StoredDecision>;
  /** The number of the next part with packed payloads. */
  nextPart: number;
  /** The spans of a trace that was posted, when it is derived for the first time. */
  postedSpans: readonly PostedSpan[];
}

export interface Merge extends PlannedMerge {
  stored: StoredPieces;
}

/** Whether a stored span came by POST /api/traces: it stays as it is. */
export function isPostedSpan({ spans, state }: StoredPieces, id: string): boolean {
  const position = spans.get(id)?.position;
  return position !== undefined && position < (state.posted?.spanCount ?? 0);
}

/** Reads what is stored of the traces of these pieces, in one round trip. */
export async function readStoredPieces(
  trx: Database,
  workspaceId: WorkspaceId,
  planned: PlannedMerge[],
): Promise<Merge[]> {
  const idsOf = (list: PlannedMerge[]) => list.map(({ piece }) => piece.id);
  const created = planned.filter(({ existing }) => !existing);
  const existing = planned.filter((merge) => merge.existing);
  const derived = existing.filter(({ isDerived }) => isDerived);
  const posted = existing.filter((merge) => !merge.existing?.mergeState);
  const unread = derived.filter(
    ({ existing: trace }) => trace?.mergeState?.posted?.isUnread ?? !trace?.mergeState,
  );

  const [, parts, replaced, decisions, nextParts, spans, traces] = await Promise.all([
    lockPendingParts(trx, workspaceId, idsOf(created), "create"),
    readParts(trx, workspaceId, idsOf([...created, ...derived])),
    readReplacedSpans(trx, workspaceId, existing),
    readDecisions(trx, workspaceId, idsOf(derived)),
    readNextParts(trx, workspaceId, idsOf(existing)),
    readPostedSpans(trx, workspaceId, idsOf(unread)),
    readPostedTraces(trx, workspaceId, idsOf(posted)),
  ]);
  const partsOf = Map.groupBy(parts, traceIdOf);
  const replacedOf = Map.groupBy(replaced, traceIdOf);
  const decisionsOf = Map.groupBy(decisions, traceIdOf);
  const nextPartOf = new Map(nextParts.map(({ traceId, nextPart }) => [traceId, nextPart]));
  const spansOf = Map.groupBy(spans, traceIdOf);
  const tracesById = new Map(traces.map((trace) => [trace.id, trace]));
  return planned.map((merge) => {
    const { id } = merge.piece;
    const nextPart = nextPartOf.get(id) ?? 0;
    const trace = tracesById.get(id);
    const state = trace
      ? postedState(trace, merge.existing, nextPart)
      : (merge.existing?.mergeState ?? NEW_MERGE_STATE);
    const stored = {
      state,
      parts: partsOf.get(id) ?? [],
      spans: new Map(replacedOf.get(id)?.map((span) => [span.span.id, span])),
      decisions: new Map(decisionsOf.get(id)?.map((decision) => [decision.id, decision])),
      nextPart,
      postedSpans: (spansOf.get(id) ?? []).filter(
        ({ position }) => position < (state.posted?.spanCount ?? 0),
      ),
    };
    return { ...merge, stored };
  });
}

const traceIdOf = ({ traceId }: { traceId: string }) => traceId;

/** The state of a trace that was posted, before the first piece is merged into it. */
function postedState(
  { id: _id, ...fields }: PostedTrace,
  existing: LockedTrace | undefined,
  openPart: number,
): MergeState {
  const [spanCount = 0, decisionPointCount = 0, eventCount = 0] = existing?.childCounts ?? [];
  return {
    ...NEW_MERGE_STATE,
    posted: { ...fields, spanCount, isUnread: true },
    nextEvent: eventCount,
    nextDecisionPoint: decisionPointCount,
    openPart,
  };
}

async function readParts(trx: Database, workspaceId: WorkspaceId, traceIds: string[]) {
  if (traceIds.length === 0) return [];
  const { rows } = await sql<StoredPart & { traceId: string }>`/* prepared */
    select trace_id, part::text, facts, is_pending from otlp_parts
    where workspace_id = ${workspaceId} and trace_id = any(${textList(traceIds)}) order by trace_id, otlp_parts.part`.execute(
    trx,
  );
  return rows;
}

/** Looks each span up by itself, whatever PostgreSQL knows about the table: a join might read all spans of the workspace. */
async function readReplacedSpans(trx: Database, workspaceId: WorkspaceId, merges: PlannedMerge[]) {
  const sent = merges.flatMap(({ piece }) => piece.spans.map(({ id }) => ({ traceId: piece.id, id })));
  if (sent.length === 0) return [];
  const { rows } = await sql<ReplacedRow>`/* prepared */
    select stored.* from json_to_recordset(${JSON.stringify(sent)}::json) as sent ("traceId" text, id text), lateral (
      select trace_id, id, position, parent_span_id, name, type, status, status_message, started_at, ended_at,
        duration_ms, token_count, ${SENT_COST}, ${USAGE_COLUMNS}
      from spans
      where workspace_id = ${workspaceId} and trace_id = sent."traceId" and spans.id = sent.id limit 1
    ) as stored`.execute(trx);
  return rows.map(({ traceId, position, ...row }) => ({ traceId, position, span: toSpan(row) }));
}

interface ReplacedRow extends ModelUsage {
  traceId: string;
  id: string;
  position: number;
  parentSpanId: string | null;
  name: string;
  type: SpanType;
  status: Status;
  statusMessage: string | null;
  startedAt: string;
  endedAt: string | null;
  durationMs: number | null;
  tokenCount: number | null;
  costUsd: number | null;
}

const toSpan = (row: Omit<ReplacedRow, "traceId" | "position">): ParsedSpan => ({
  id: row.id,
  parentSpanId: row.parentSpanId,
  name: row.name,
  type: row.type,
  status: row.status,
  statusMessage: row.statusMessage,
  startedAt: Date.parse(row.startedAt),
  endedAt: row.endedAt === null ? null : Date.parse(row.endedAt),
  durationMs: row.durationMs,
  tokenCount: row.tokenCount,
  costUsd: row.costUsd,
  usage: usageOf(row),
  input: null,
  output: null,
  metadata: null,
});

/** The cost of a span if it was sent, not computed. */
const SENT_COST = sql`case when coalesce(price_source, ${sql.lit(SENT_PRICE)}) = ${sql.lit(SENT_PRICE)} then cost_usd end as cost_usd`;
const USAGE_COLUMNS = sql.raw(
  "model, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens",
);

const usageOf = ({
  model,
  inputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  outputTokens,
  reasoningTokens,
}: ModelUsage): ModelUsage | null =>
  model === null && inputTokens === null && outputTokens === null
    ? null
    : { model, inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens };

async function readDecisions(trx: Database, workspaceId: WorkspaceId, traceIds: string[]) {
  if (traceIds.length === 0) return [];
  const { rows } = await sql<StoredDecision & { traceId: string; id: string }>`/* prepared */
    select trace_id, id, type, position, derived_hash as hash from decision_points
    where workspace_id = ${workspaceId} and trace_id = any(${textList(traceIds)})`.execute(trx);
  return rows;
}

/** How many events these spans of a trace have. */
export async function countEvents(
  trx: Database,
  workspaceId: WorkspaceId,
  traceId: string,
  spanIds: string[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* prepared */
    select count(*)::integer as count from events
    where workspace_id = ${workspaceId} and trace_id = ${traceId} and span_id = any(${textList(spanIds)})`.execute(
    trx,
  );
  return rows[0]?.count ?? 0;
}

/** Which of these events of a trace are stored. */
export async function readEventIds(
  trx: Database,
  workspaceId: WorkspaceId,
  traceId: string,
  ids: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`/* prepared */
    select id from events
    where workspace_id = ${workspaceId} and trace_id = ${traceId} and id = any(${textList(ids)})`.execute(
    trx,
  );
  return new Set(rows.map(({ id }) => id));
}

async function readNextParts(trx: Database, workspaceId: WorkspaceId, traceIds: string[]) {
  if (traceIds.length === 0) return [];
  const { rows } = await sql<{ traceId: string; nextPart: number }>`/* prepared */
    select id as trace_id, last.part + 1 as next_part
    from unnest(${textList(traceIds)}) as id, lateral (
      select part from trace_payloads where workspace_id = ${workspaceId} and trace_id = id order by part desc limit 1
    ) as last`.execute(trx);
  return rows;
}

async function readPostedSpans(trx: Database, workspaceId: WorkspaceId, traceIds: string[]) {
  if (traceIds.length === 0) return [];
  const { rows } = await sql<
    ModelUsage & {
      traceId: string;
      id: string;
      position: number;
      parentSpanId: string | null;
      type: SpanType;
      status: Status;
      startedAt: string;
      endedAt: string | null;
      tokenCount: number | null;
      costUsd: number | null;
    }
  >`
    select trace_id, id, position, parent_span_id, type, status, started_at, ended_at, token_count, ${SENT_COST},
      ${USAGE_COLUMNS}
    from spans
    where workspace_id = ${workspaceId} and trace_id = any(${textList(traceIds)})`.execute(trx);
  return rows.map(({ startedAt, endedAt, ...row }) => ({
    traceId: row.traceId,
    id: row.id,
    position: row.position,
    parentSpanId: row.parentSpanId,
    type: row.type,
    status: row.status,
    tokenCount: row.tokenCount,
    costUsd: row.costUsd,
    usage: usageOf(row),
    startedAt: Date.parse(startedAt),
    endedAt: endedAt === null ? null : Date.parse(endedAt),
  }));
}

type PostedTrace = Pick<ParsedTrace, "id" | "sessionId" | "totalCost" | "totalTokens" | "totalDuration">;

async function readPostedTraces(trx: Database, workspaceId: WorkspaceId, traceIds: string[]) {
  if (traceIds.length === 0) return [];
  const { rows } = await sql<PostedTrace>`
    select id, session_id, case when is_cost_derived then null else total_cost end as total_cost, total_tokens,
      total_duration from traces
    where workspace_id = ${workspaceId} and id = any(${textList(traceIds)})`.execute(trx);
  return rows;
}
