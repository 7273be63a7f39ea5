import { MAX_TRACE_RECORDS, type ParsedEvent, type ParsedSpan } from "@whytrace/contract";
import type { MaskingCounts } from "../../masking/masker.ts";
import { priceSpans } from "../../prices/price-trace.ts";
import type { TraceSummary } from "../batch/workspace-batch.ts";
import type { CountChanges } from "../counts/count-changes.ts";
import { dayOf } from "../counts/decision-days.ts";
import type { RunProblems } from "../problems/run-problems.ts";
import { type ComputedRun, computeColumns } from "../rows/computed-columns.ts";
import type { DerivedTrace } from "../rows/derived-trace.ts";
import type { TracePiece } from "../rows/trace-piece.ts";
import { carriedScores } from "../scores/carried-score.ts";
import type { ParsedScore } from "../scores/parsed-score.ts";
import { addPieceRows } from "./add-piece-rows.ts";
import { addSpanFacts } from "./add-span-facts.ts";
import type { MergeContext } from "./merge-context.ts";
import { mergeSpanVersions } from "./merge-span-versions.ts";
import type { MergedRow } from "./merge-statements.ts";
import { mergedTrace } from "./merged-trace.ts";
import { type PricedTrace, priceDerivedTrace } from "./price-derived-trace.ts";
import { type MergedDecisions, replaceDecisions, storedDecisions } from "./replace-decisions.ts";
import { deriveAfterS, stateAfterMerge } from "./state-after-merge.ts";
import { type Merge, readEventIds } from "./stored-pieces.ts";

export interface MergedPiece {
  /** What the trace is now. */
  summary: TraceSummary;
  counts: CountChanges;
  /** The scores that the trace carries; undefined if it carries none and had none, or is derived later. */
  scores: ParsedScore[] | undefined;
  /** What changes in the row of the trace; undefined if the trace is new and its row is added. */
  row: MergedRow | undefined;
  /** Set for a posted trace: only its rows have everything that insights read, and they are read when all are written. */
  hasOutdatedColumns: boolean;
  /** Undefined if the trace is derived later, or its columns are computed from its rows. */
  run: RunProblems | undefined;
}

/** Merges one piece: adds its rows. The events of spans that are written again are deleted already. */
export async function mergePiece(
  context: MergeContext,
  merge: Merge,
  deletedEvents: number,
): Promise<MergedPiece> {
  const { rows, workspace, prices } = context;
  const { piece, codec, existing, isDerived, stored } = merge;
  const { spans: sent, unread } = await mergeSpanVersions(context, merge);
  const unlogged = prices ? priceSpans(sent, prices).spans : sent;
  const parts = addSpanFacts(context, merge);
  const derived = isDerived ? priceDerivedTrace(codec.derive(parts), prices) : undefined;
  const spans = derived ? completed(unlogged, derived) : unlogged;
  const spanIds = new Set(spans.map(({ id }) => id));
  const events = [
    ...piece.events.filter(({ spanId }) => spanId === null || spanIds.has(spanId)),
    ...(derived ? await newLoggedEvents(context, merge, derived) : []),
  ];
  const openParts = await addPieceRows(context, merge, { spans, events, unread, derived });

  const trace = derived && mergedTrace(derived, merge);
  const summary = summarize(merge, trace);
  const decisions = trace ? replaceDecisions(context, merge, trace) : storedDecisions(merge);
  const [spansBefore = 0, , eventsBefore = 0] = existing?.childCounts ?? [];
  const spanCount = spansBefore + spans.filter(({ id }) => !stored.spans.has(id)).length;
  const mergeState = stateAfterMerge(merge, { openParts, decisions, spanCount, newEvents: events.length });
  const masking = oldestMasking(merge);
  const scores = derived && carriedScores(piece.id, "otlp", derived.scores);
  const hasOutdatedColumns = derived !== undefined && stored.state.posted !== undefined;
  const added =
    trace && !existing
      ? rows.addTrace(
          workspace,
          { ...trace, ...(masking && { masking }), metadata: null, spans, events },
          { state: mergeState, definitions: context.definitions, scores },
        )
      : undefined;
  const computed =
    existing && derived && !hasOutdatedColumns ? derivedColumns(derived, decisions.positions) : undefined;
  return {
    summary,
    counts: countPiece(merge, summary, decisions),
    scores: scores?.length || existing?.scoreCount ? scores : undefined,
    row: existing && {
      id: piece.id,
      spanCount,
      decisionPointCount: decisions.count,
      eventCount: eventsBefore + events.length - deletedEvents,
      mergeState,
      masking: masking && { ...masking, counts: sumCounts(existing.masked, masking.counts) },
      deriveAfterS: deriveAfterS(trace, mergeState, spanCount),
      ...(trace && { derived: withoutDecisions(trace) }),
      computed,
    },
    hasOutdatedColumns,
    run: added ?? computed?.run,
  };
}

/** Log records that waited for their trace may have been masked by older rules: a job that applies newer ones has to look at it. */
function oldestMasking({ piece, codec, stored }: Merge): TracePiece["masking"] {
  if (!piece.masking) return undefined;
  const waited = stored.parts.filter(({ isPending }) => isPending);
  const version = waited.reduce(
    (oldest, { facts }) => Math.min(oldest, codec.maskingVersion(facts) ?? 0),
    piece.masking.version,
  );
  return { ...piece.masking, version };
}

/** Values that came before stay counted. A span that is sent again is counted again. */
function sumCounts(before: MaskingCounts | null, added: MaskingCounts | null): MaskingCounts | null {
  if (!before || !added) return before ?? added;
  const sum: Record<string, number> = { ...before };
  for (const [type, count] of Object.entries(added)) sum[type] = (sum[type] ?? 0) + count;
  return sum;
}

function summarize({ piece, existing }: Merge, trace: TraceSummary | undefined): TraceSummary {
  const now = trace ?? (existing && { ...existing, startedAt: Date.parse(existing.startedAt) });
  if (!now) throw new Error(`Trace ${piece.id} is new but was not derived`);
  const { id, status, sessionId, startedAt } = now;
  return { id, status, sessionId, startedAt };
}

/** Adds inputs and outputs that log records say and the spans lack. */
const completed = (spans: ParsedSpan[], { completions }: DerivedTrace): ParsedSpan[] =>
  spans.map((span) => {
    const completion = completions.get(span.id);
    if (!completion) return span;
    const { input = null, output = null } = completion;
    return { ...span, input: span.input ?? input, output: span.output ?? output };
  });

/** The events of log records that are not stored yet, as far as the trace has room for them. */
async function newLoggedEvents(
  { trx, workspaceId }: MergeContext,
  { piece, existing }: Merge,
  { loggedEvents }: DerivedTrace,
): Promise<ParsedEvent[]> {
  const room = Math.max(0, MAX_TRACE_RECORDS - (existing?.childCounts[2] ?? 0) - piece.events.length);
  if (!existing || loggedEvents.length === 0) return loggedEvents.slice(0, room);
  const ids = loggedEvents.map(({ id }) => id);
  const stored = await readEventIds(trx, workspaceId, piece.id, ids);
  return loggedEvents.filter(({ id }) => !stored.has(id)).slice(0, room);
}

function countPiece(
  { existing, isDerived }: Merge,
  { status, startedAt }: TraceSummary,
  decisions: MergedDecisions,
): CountChanges {
  const totals = { ...decisions.totals };
  if (existing) totals[existing.status] -= 1;
  totals[status] += 1;
  const decisionDays = new Set<string>();
  if (isDerived && existing?.childCounts[1]) decisionDays.add(dayOf(existing.startedAt));
  if (isDerived && decisions.count > 0) decisionDays.add(dayOf(startedAt));
  return { totals, decisionDays };
}

const withoutDecisions = <Trace extends { decisionPoints: unknown }>({
  decisionPoints: _decisionPoints,
  ...fields
}: Trace) => fields;

/** What insights read of the trace. */
const derivedColumns = (derived: PricedTrace, positions: ReadonlyMap<string, number>): ComputedRun =>
  computeColumns({
    ...derived,
    decisionPoints: derived.decisionPoints.map((decision) => ({
      ...decision,
      position: positions.get(decision.id) ?? 0,
    })),
    events: derived.errorEvents,
  });
