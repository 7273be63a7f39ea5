import {
  type DecisionPointType,
  type ModelUsage,
  type ParsedSpan,
  type ParsedTrace,
  RawJson,
  SENT_PRICE,
  type SpanType,
  type Status,
} from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { textList } from "../db/text-list.ts";
import type { LockedTrace } from "./claim-ids.ts";
import { lockPending } from "./lock-pending.ts";
import { type MergeState, NEW_MERGE_STATE } from "./merge-state.ts";
import type { PostedSpan, TracePiece } from "./trace-piece.ts";

/** A piece and the trace that it is merged into. */
export interface Merge {
  piece: TracePiece;
  /** Undefined if the piece creates the trace. */
  existing: LockedTrace | undefined;
  /** Whether the trace is derived with this piece, or later. */
  isDerived: boolean;
  /** Whether it should be derived now, but is too large to be derived in this thread. */
  isDue: boolean;
}

export interface StoredDecision {
  type: DecisionPointType;
  position: number;
  /** Null if it was posted, not derived. */
  hash: Buffer | null;
}

export interface StoredPart {
  /** A number as text: in a cluster it may be larger than 2^53. */
  part: string;
  facts: Buffer;
}

/** The row of a span that is sent again. Its payloads are null if they are packed. */
export interface StoredSpan {
  position: number;
  isPacked: boolean;
  span: ParsedSpan;
}

/** What is stored of a trace, as far as merging a piece needs it. */
export class StoredPieces {
  state: MergeState = NEW_MERGE_STATE;
  /** What the trace is derived from, in the order in which it was stored. Empty if the trace is not derived now. */
  readonly parts: StoredPart[] = [];
  /** By id, those of the piece's spans that exist. */
  readonly spans = new Map<string, StoredSpan>();
  /** By id. Empty if the trace is not derived now. */
  readonly decisions = new Map<string, StoredDecision>();
  /** The number of the next part with packed payloads. */
  nextPart = 0;
  /** The spans of a trace that was posted, when it is derived for the first time. */
  readonly postedSpans: PostedSpan[] = [];
}

/** Reads what is stored of the traces of these pieces, by trace id, in one round trip. */
export async function readStoredPieces(
  trx: Database,
  userId: string,
  merges: Merge[],
): Promise<Map<string, StoredPieces>> {
  const stored = new Map(merges.map(({ piece }) => [piece.id, new StoredPieces()]));
  const idsOf = (list: Merge[]) => list.map(({ piece }) => piece.id);
  const of = (traceId: string) => stored.get(traceId) ?? new StoredPieces();
  const created = merges.filter(({ existing }) => !existing);
  const existing = merges.filter((merge) => merge.existing);
  const derived = existing.filter(({ isDerived }) => isDerived);
  const posted = existing.filter((merge) => !merge.existing?.mergeState);
  const unread = derived.filter(
    ({ existing: trace }) => trace?.mergeState?.posted?.isUnread ?? !trace?.mergeState,
  );
  for (const { piece, existing } of merges) of(piece.id).state = existing?.mergeState ?? NEW_MERGE_STATE;

  const [, parts, replaced, decisions, nextParts, spans, traces] = await Promise.all([
    lockPending(trx, userId, idsOf(created), "create"),
    readParts(trx, userId, idsOf([...created, ...derived])),
    readReplacedSpans(trx, userId, existing),
    readDecisions(trx, userId, idsOf(derived)),
    readNextParts(trx, userId, idsOf(existing)),
    readPostedSpans(trx, userId, idsOf(unread)),
    readPostedTraces(trx, userId, idsOf(posted)),
  ]);
  for (const { traceId, ...part } of parts) of(traceId).parts.push(part);
  for (const { traceId, ...stored } of replaced) of(traceId).spans.set(stored.span.id, stored);
  for (const { traceId, id, ...decision } of decisions) of(traceId).decisions.set(id, decision);
  for (const { traceId, nextPart } of nextParts) of(traceId).nextPart = nextPart;
  const counts = new Map(posted.map(({ piece, existing }) => [piece.id, existing?.childCounts]));
  for (const { id, ...fields } of traces) {
    const [spanCount = 0, decisionPointCount = 0, eventCount = 0] = counts.get(id) ?? [];
    of(id).state = {
      ...NEW_MERGE_STATE,
      posted: { ...fields, spanCount, isUnread: true },
      nextEvent: eventCount,
      nextDecisionPoint: decisionPointCount,
      openPart: of(id).nextPart,
    };
  }
  for (const { traceId, position, ...span } of spans)
    if (position < (of(traceId).state.posted?.spanCount ?? 0)) of(traceId).postedSpans.push(span);
  return stored;
}

async function readParts(trx: Database, userId: string, traceIds: string[]) {
  if (traceIds.length === 0) return [];
  const { rows } = await sql<StoredPart & { traceId: string }>`/* prepared */
    select trace_id, part::text, facts from otlp_parts
    where user_id = ${userId} and trace_id = any(${textList(traceIds)}) order by trace_id, otlp_parts.part`.execute(
    trx,
  );
  return rows;
}

/** Looks each span up by itself, whatever PostgreSQL knows about the table: a join might read all spans of the user. */
async function readReplacedSpans(trx: Database, userId: string, merges: Merge[]) {
  const sent = merges.flatMap(({ piece }) => piece.spans.map(({ id }) => ({ traceId: piece.id, id })));
  if (sent.length === 0) return [];
  const { rows } = await sql<ReplacedRow>`/* prepared */
    select stored.* from json_to_recordset(${JSON.stringify(sent)}::json) as sent ("traceId" text, id text), lateral (
      select trace_id, id, position, parent_span_id, name, type, status, status_message, started_at, ended_at,
        duration_ms, token_count, ${SENT_COST}, ${USAGE_COLUMNS}, coalesce(is_packed, false) as is_packed,
        input::text, output::text, metadata::text
      from spans
      where user_id = ${userId} and trace_id = sent."traceId" and spans.id = sent.id limit 1
    ) as stored`.execute(trx);
  return rows.map(({ traceId, position, isPacked, ...row }) => ({
    traceId,
    position,
    isPacked,
    span: toSpan(row),
  }));
}

interface ReplacedRow extends ModelUsage {
  traceId: string;
  id: string;
  position: number;
  isPacked: boolean;
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
  input: string | null;
  output: string | null;
  metadata: string | null;
}

const toSpan = (row: Omit<ReplacedRow, "traceId" | "position" | "isPacked">): ParsedSpan => ({
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
  input: rawJson(row.input),
  output: rawJson(row.output),
  metadata: rawJson(row.metadata),
});

function rawJson(text: string | null): RawJson | null {
  if (text === null) return null;
  const bytes = Buffer.from(text);
  return new RawJson(bytes, 0, bytes.length);
}

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

async function readDecisions(trx: Database, userId: string, traceIds: string[]) {
  if (traceIds.length === 0) return [];
  const { rows } = await sql<StoredDecision & { traceId: string; id: string }>`/* prepared */
    select trace_id, id, type, position, derived_hash as hash from decision_points
    where user_id = ${userId} and trace_id = any(${textList(traceIds)})`.execute(trx);
  return rows;
}

/** How many events these spans of a trace have. */
export async function countEvents(
  trx: Database,
  userId: string,
  traceId: string,
  spanIds: string[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* prepared */
    select count(*)::integer as count from events
    where user_id = ${userId} and trace_id = ${traceId} and span_id = any(${textList(spanIds)})`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Which of these events of a trace are stored. */
export async function readEventIds(
  trx: Database,
  userId: string,
  traceId: string,
  ids: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`/* prepared */
    select id from events
    where user_id = ${userId} and trace_id = ${traceId} and id = any(${textList(ids)})`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

async function readNextParts(trx: Database, userId: string, traceIds: string[]) {
  if (traceIds.length === 0) return [];
  const { rows } = await sql<{ traceId: string; nextPart: number }>`/* prepared */
    select id as trace_id, last.part + 1 as next_part
    from unnest(${textList(traceIds)}) as id, lateral (
      select part from trace_payloads where user_id = ${userId} and trace_id = id order by part desc limit 1
    ) as last`.execute(trx);
  return rows;
}

async function readPostedSpans(trx: Database, userId: string, traceIds: string[]) {
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
    where user_id = ${userId} and trace_id = any(${textList(traceIds)})`.execute(trx);
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

async function readPostedTraces(trx: Database, userId: string, traceIds: string[]) {
  if (traceIds.length === 0) return [];
  type Posted = Pick<ParsedTrace, "id" | "sessionId" | "totalCost" | "totalTokens" | "totalDuration">;
  const { rows } = await sql<Posted>`
    select id, session_id, case when is_cost_derived then null else total_cost end as total_cost, total_tokens,
      total_duration from traces
    where user_id = ${userId} and id = any(${textList(traceIds)})`.execute(trx);
  return rows;
}
