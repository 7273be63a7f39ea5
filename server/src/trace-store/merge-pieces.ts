import {
  MAX_TRACE_RECORDS,
  type ModelCost,
  type ParsedEvent,
  type ParsedSpan,
  type ParsedTrace,
  RawJson,
} from "@whytrace/contract";
import type pg from "pg";
import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import type { Database } from "../db/database.ts";
import { PACKED_FIELDS } from "../payloads/packed-fields.ts";
import { modelCosts } from "../prices/model-costs.ts";
import { type Prices, priceSpans } from "../prices/price-trace.ts";
import { totalCost } from "../prices/total-cost.ts";
import {
  addPiecePayloads,
  isPackedTogether,
  type PackedPayloads,
  packedPayloads,
} from "./add-piece-payloads.ts";
import type { LockedTrace } from "./claim-ids.ts";
import { completeSpans } from "./complete-spans.ts";
import { dayOf } from "./decision-days.ts";
import type { DerivedTrace, UnpricedTrace } from "./derived-trace.ts";
import { type TraceRows, uuidBytes } from "./encode-traces.ts";
import { exceededLimit, MAX_FACTS_BYTES, type TraceSize } from "./exceeded-limit.ts";
import type { MergeContext } from "./merge-context.ts";
import type { MergeState } from "./merge-state.ts";
import { deleteReplacedSpans, type MergedRow, updateMergedTraces } from "./merge-statements.ts";
import { OpenParts } from "./open-parts.ts";
import { OutdatedRows } from "./outdated-rows.ts";
import { readSpanPayloads, type SpanPayloads } from "./read-span-payloads.ts";
import { replaceDecisions } from "./replace-decisions.ts";
import { laterSpan } from "./span-versions.ts";
import {
  countEvents,
  type Merge,
  readEventIds,
  readStoredPieces,
  type StoredPart,
  StoredPieces,
} from "./stored-pieces.ts";
import type { TenantBatch, TraceSummary } from "./tenant-batch.ts";
import { traceFacts } from "./trace-facts.ts";
import type { FactsCodec, TracePiece } from "./trace-piece.ts";

/*
 * OpenTelemetry sends a trace in pieces: children before parents, sometimes one span a request. A piece is merged into what
 * is stored: new spans are appended, spans that exist are completed and updated, and name, status, totals and decisions of the trace are
 * derived again from what is kept of all its spans (`otlp_parts`). So the result does not depend on the order.
 *
 * Deriving takes time in proportion to the trace. A small trace is derived with each piece. A large one is derived when it
 * has grown by a quarter, when its root comes, and by a worker (otlp/late-derivations.ts) when no span has come for a while,
 * the longer the larger the trace is. So the cost of a span does not grow with its trace. A trace of thousands of spans is
 * derived only in the thread for large bodies: elsewhere its row says that it is due, and the worker passes it on.
 */

/** A trace with more spans is not derived with each piece. */
const MAX_DERIVED_AT_ONCE = 256;
const GROWTH = 1.25;
/** With more parts, what a trace is derived from is stored as one part. */
const MAX_PARTS = 16;
const DERIVED_LATE_AFTER_S = 2;
/** After how many seconds without a span a larger trace is derived: one for each of these spans. */
const SPANS_PER_SECOND_LATE = 5_000;
/** When the decision points of a trace without root get its name. */
const NAMED_LATE_AFTER_S = 10;

/** Merges a user's pieces up to the rows that still have to be copied, which are added to `rows`. */
export async function mergePieces(
  client: pg.PoolClient,
  trx: Database,
  tenant: TenantBatch,
  rows: TraceRows,
  maxDerivedSpans: number,
): Promise<void> {
  const merges = tenant.requests.flatMap(({ request, pieces }) =>
    [...pieces.values()].map((piece) => ({
      merge: toMerge(piece, tenant, maxDerivedSpans),
      facts: request.merge?.facts,
    })),
  );
  if (merges.length === 0) return;
  const context = {
    client,
    trx,
    tenant,
    rows,
    user: uuidBytes(tenant.userId),
    outdated: new OutdatedRows(),
    openParts: new OpenParts(client, tenant.userId),
  };
  const stored = await readStoredPieces(
    trx,
    tenant.userId,
    merges.map(({ merge }) => merge),
  );
  const rejected = await rejectPieces(trx, tenant, merges, stored);
  const mergings = merges.flatMap(({ merge, facts }) =>
    facts && !rejected.has(merge.piece.id)
      ? new PieceMerging(context, merge, stored.get(merge.piece.id) ?? new StoredPieces(), facts)
      : [],
  );
  const deletedEvents = await deleteReplacedSpans(
    trx,
    tenant.userId,
    mergings.flatMap((merging) => merging.replacedSpans),
  );
  context.openParts.expect(mergings.flatMap((merging) => merging.openParts ?? []));
  const updated: MergedRow[] = [];
  const summaries = new Map<string, TraceSummary>();
  for (const merging of mergings)
    summaries.set(merging.id, await merging.merge(updated, deletedEvents.get(merging.id) ?? 0));
  await Promise.all([
    context.outdated.delete(trx, tenant.userId),
    updateMergedTraces(trx, tenant.userId, updated),
  ]);
  for (const request of tenant.requests)
    request.merged = [...request.pieces.keys()].flatMap((id) => summaries.get(id) ?? []);
}

function toMerge(piece: TracePiece, tenant: TenantBatch, maxDerivedSpans: number): Merge {
  const existing = tenant.existing.get(piece.id);
  const state = existing?.mergeState;
  const spanCount = (existing?.childCounts[0] ?? 0) + piece.spans.length;
  const isDue =
    !state ||
    state.isDue === true ||
    spanCount <= MAX_DERIVED_AT_ONCE ||
    spanCount >= state.derivedSpans * GROWTH ||
    (piece.hasRoot && !state.hasRoot) ||
    piece.loggedIds === "all";
  // A new trace has no more spans than its request, whose size has decided about the thread.
  const isDerived = isDue && (!existing || spanCount <= maxDerivedSpans);
  return { piece, existing, isDerived, isDue: isDue && !isDerived };
}

/** Leaves out the pieces for which their traces have no room. Returns the ids of these traces. */
async function rejectPieces(
  trx: Database,
  { userId, requests }: TenantBatch,
  merges: { merge: Merge }[],
  stored: ReadonlyMap<string, StoredPieces>,
): Promise<Set<string>> {
  const reasons = new Map<string, string>();
  for (const { merge } of merges) {
    const size = merge.existing && sizeAfter(merge, merge.existing, stored.get(merge.piece.id));
    if (!size || !exceededLimit(size)) continue;
    // Events of spans that are written again are replaced. They are counted only where that decides.
    const replaced = [...(stored.get(merge.piece.id)?.spans.keys() ?? [])];
    const replacedEvents = await countEvents(trx, userId, merge.piece.id, replaced);
    const reason = exceededLimit({ ...size, events: size.events - replacedEvents });
    if (reason) reasons.set(merge.piece.id, reason);
  }
  for (const { pieces, rejected } of requests)
    for (const [id, reason] of reasons) if (pieces.delete(id)) rejected.set(id, reason);
  return new Set(reasons.keys());
}

function sizeAfter(
  { piece }: Merge,
  { childCounts: [spanCount = 0, , eventCount = 0] }: LockedTrace,
  { spans, state } = new StoredPieces(),
): TraceSize {
  return {
    spans: spanCount + piece.spans.length - spans.size,
    events: eventCount + piece.events.length,
    bytes: (state.bytes ?? 0) + piece.bytes,
    factsBytes: (state.factsBytes ?? 0) + piece.factsBytes,
  };
}

/** Merges one piece. */
class PieceMerging {
  readonly #context: MergeContext;
  readonly #merge: Merge;
  readonly #stored: StoredPieces;
  readonly #facts: FactsCodec;
  #unreadPayloads: SpanPayloads["unread"] = new Map();

  constructor(context: MergeContext, merge: Merge, stored: StoredPieces, facts: FactsCodec) {
    this.#context = context;
    this.#merge = merge;
    this.#stored = stored;
    this.#facts = facts;
  }

  get id(): string {
    return this.#merge.piece.id;
  }

  /** The stored spans that are written again. */
  get replacedSpans(): { traceId: string; id: string; hasEvents: boolean }[] {
    const withEvents = new Set(this.#merge.piece.events.map(({ spanId }) => spanId));
    return [...this.#stored.spans.keys()]
      .filter((id) => !this.#isPosted(id))
      .map((id) => ({ traceId: this.id, id, hasEvents: withEvents.has(id) }));
  }

  /** The stored parts with which the payloads of the piece are packed together. */
  get openParts() {
    const { piece } = this.#merge;
    const open = openPartsOf(this.#stored);
    const hasPayloads = piece.spans.length > 0 && this.#context.rows.isPacked;
    return hasPayloads && isPackedTogether(piece, open)
      ? { traceId: this.id, firstPart: open.firstPart, bytes: open.bytes }
      : undefined;
  }

  /**
   * Adds the rows of the piece, and what changes in the row of an existing trace to `updated`. The events of replaced spans
   * are deleted already.
   */
  async merge(updated: MergedRow[], deletedEvents: number): Promise<TraceSummary> {
    const { tenant, rows, user } = this.#context;
    const { piece, existing, isDue } = this.#merge;
    const { state } = this.#stored;
    const { prices } = tenant;
    const sent = await this.#withFormerVersions(piece.spans.filter(({ id }) => !this.#isPosted(id)));
    const spans = prices ? priceSpans(sent, prices).spans : sent;
    const spanIds = new Set(spans.map(({ id }) => id));
    const replacedCount = spans.filter(({ id }) => this.#stored.spans.has(id)).length;
    const derived = this.#derive();
    if (derived) complete(spans, derived);
    const events = [
      ...piece.events.filter(({ spanId }) => spanId === null || spanIds.has(spanId)),
      ...(derived ? await this.#newEvents(derived) : []),
    ];
    const open = await this.#addRows(spans, events, derived);

    const [spanCount = 0, decisionPointCount = 0, eventCount = 0] = existing?.childCounts ?? [];
    const trace = derived && this.#traceFields(derived);
    const decisions = trace
      ? this.#replaceDecisions(trace)
      : {
          count: decisionPointCount,
          nextPosition: state.nextDecisionPoint,
          searchedName: state.searchedName,
          positions: new Map(),
        };
    const newSpanCount = spanCount + spans.length - replacedCount;
    const mergeState: MergeState = {
      ...state,
      ...open,
      ...(derived && state.posted && { posted: readPosted(state.posted) }),
      isDue: isDue || undefined,
      bytes: (state.bytes ?? 0) + piece.bytes,
      factsBytes: (state.factsBytes ?? 0) + piece.factsBytes,
      hasRoot: state.hasRoot || piece.hasRoot,
      nextEvent: state.nextEvent + events.length,
      nextDecisionPoint: decisions.nextPosition,
      searchedName: decisions.searchedName,
      derivedSpans: derived ? newSpanCount : state.derivedSpans,
    };
    if (trace && decisionPointCount > 0 && existing) tenant.decisionDays.add(dayOf(existing.startedAt));
    if (trace && decisions.count > 0) tenant.decisionDays.add(dayOf(trace.startedAt));
    if (existing) {
      updated.push({
        id: piece.id,
        spanCount: newSpanCount,
        decisionPointCount: decisions.count,
        eventCount: eventCount + events.length - deletedEvents,
        mergeState,
        deriveAfterS: deriveAfterS(trace, mergeState, newSpanCount),
        ...(trace && { derived: withoutDecisions(trace) }),
        facts: derived && this.#traceFacts(derived, decisions.positions),
      });
      const summary = {
        id: piece.id,
        status: trace?.status ?? existing.status,
        sessionId: trace ? trace.sessionId : existing.sessionId,
        startedAt: trace?.startedAt ?? Date.parse(existing.startedAt),
      };
      tenant.totalsChange[existing.status] -= 1;
      tenant.totalsChange[summary.status] += 1;
      return summary;
    }
    if (!trace) throw new Error(`Trace ${piece.id} is new but was not derived`);
    rows.addTrace(user, { ...trace, metadata: null, spans, events }, undefined, mergeState);
    tenant.totalsChange[trace.status] += 1;
    return trace;
  }

  /** Whether a stored span came by POST /api/traces: it stays as it is. */
  #isPosted(id: string): boolean {
    const position = this.#stored.spans.get(id)?.position;
    return position !== undefined && position < (this.#stored.state.posted?.spanCount ?? 0);
  }

  /** Adds to spans that are stored what their former versions say and they leave out. */
  async #withFormerVersions(spans: ParsedSpan[]): Promise<ParsedSpan[]> {
    const { client, tenant } = this.#context;
    const packed = spans.flatMap(({ id }) => {
      const stored = this.#stored.spans.get(id);
      return stored?.isPacked ? stored.position : [];
    });
    const { read, unread } = await readSpanPayloads(client, tenant.userId, this.id, packed);
    this.#unreadPayloads = unread;
    const { spans: stored } = this.#stored;
    return runInTimeSlices(
      (function* () {
        const merged: ParsedSpan[] = [];
        for (const span of spans) {
          const former = stored.get(span.id);
          merged.push(former ? laterSpan(withPayloads(former.span, read.get(former.position)), span) : span);
          if (former) yield;
        }
        return merged;
      })(),
    );
  }

  /** Whether the stored payloads of a span have to stay, because the later ones lack some and were not merged with them. */
  #keepsPayloads({ position, payloads }: PackedPayloads): boolean {
    const stored = this.#unreadPayloads.get(position) ?? [];
    return stored.some((length, index) => length !== null && payloads[index] === null);
  }

  /** Stores what the trace is derived from, and derives it, unless it is derived later. */
  #derive(): PricedTrace | undefined {
    const { tenant, rows, user, outdated } = this.#context;
    const { piece, existing, isDerived } = this.#merge;
    const { parts, postedSpans } = this.#stored;
    const added = [
      ...(postedSpans.length > 0 ? [this.#facts.encodePosted(postedSpans)] : []),
      ...(piece.part ? [piece.part] : []),
    ];
    const kept = existing ? parts : this.#partsWithRoom();
    const all = [...kept.map(({ facts }) => facts), ...added];
    // Log records that came before their trace are not pending any more.
    const first = existing ? firstCompacted(all.map((part) => this.#facts.bytesOf(part))) : 0;
    const outdatedPart = parts[first];
    if (outdatedPart) {
      outdated.addOtlpParts(piece.id, outdatedPart.part);
      rows.addOtlpPart(user, piece.id, this.#facts.compact(all.slice(first)));
    } else for (const part of added) rows.addOtlpPart(user, piece.id, part);
    return isDerived ? priced(this.#facts.derive(all), tenant.prices) : undefined;
  }

  /** The log records that came before their trace, as far as the trace has room for them. */
  #partsWithRoom(): StoredPart[] {
    let bytes = this.#merge.piece.factsBytes;
    return this.#stored.parts.filter(({ facts }) => {
      bytes += this.#facts.bytesOf(facts);
      return bytes <= MAX_FACTS_BYTES;
    });
  }

  /** The events of log records that are not stored yet. */
  async #newEvents({ loggedEvents }: DerivedTrace): Promise<ParsedEvent[]> {
    const { trx, tenant } = this.#context;
    const { piece, existing } = this.#merge;
    const room = Math.max(0, MAX_TRACE_RECORDS - (existing?.childCounts[2] ?? 0) - piece.events.length);
    if (!existing || loggedEvents.length === 0) return loggedEvents.slice(0, room);
    const ids = loggedEvents.map(({ id }) => id);
    const stored = await readEventIds(trx, tenant.userId, piece.id, ids);
    return loggedEvents.filter(({ id }) => !stored.has(id)).slice(0, room);
  }

  async #addRows(spans: ParsedSpan[], events: ParsedEvent[], derived: PricedTrace | undefined) {
    const { rows, user } = this.#context;
    const { piece, existing } = this.#merge;
    const { spans: stored, state } = this.#stored;
    let nextSpan = existing?.childCounts[0] ?? 0;
    const payloads = [];
    for (const span of spans) {
      const position = stored.get(span.id)?.position ?? nextSpan++;
      rows.addSpan(user, piece.id, position, span);
      const packed = packedPayloads("spans", position, span);
      if (!this.#keepsPayloads(packed)) payloads.push(packed);
    }
    for (const [index, event] of events.entries()) {
      const position = state.nextEvent + index;
      rows.addEvent(user, piece.id, position, event);
      payloads.push(packedPayloads("events", position, event));
    }
    if (existing && derived) {
      const isNew = new Set(spans.map(({ id }) => id));
      const others = loggedSpanIds(piece, derived).filter((id) => !isNew.has(id));
      payloads.push(...(await completeSpans(this.#context, piece.id, others, derived)));
    }
    return addPiecePayloads(this.#context, piece, payloads, openPartsOf(this.#stored));
  }

  #replaceDecisions(trace: Pick<ParsedTrace, "name" | "decisionPoints">) {
    const { piece } = this.#merge;
    const { state, decisions: stored } = this.#stored;
    const isNamed = state.hasRoot || piece.hasRoot || piece.loggedIds === "all";
    const name = (isNamed ? undefined : state.searchedName) ?? trace.name;
    const replaced = replaceDecisions(this.#context, {
      trace: { id: piece.id, name, decisionPoints: trace.decisionPoints },
      stored,
      isRenamed: name !== state.searchedName,
      nextPosition: state.nextDecisionPoint,
    });
    return { ...replaced, searchedName: replaced.count > 0 ? name : undefined };
  }

  /** What insights read of the trace. Of a posted trace, only its rows have everything: they are read when all are written. */
  #traceFacts(derived: PricedTrace, positions: ReadonlyMap<string, number>) {
    if (this.#stored.state.posted) {
      this.#context.tenant.outdatedFacts.push(this.#merge.piece.id);
      return undefined;
    }
    const decisionPoints = derived.decisionPoints.map((decision) => ({
      ...decision,
      position: positions.get(decision.id) ?? 0,
    }));
    return traceFacts({ ...derived, decisionPoints, events: derived.errorEvents });
  }

  /** What was posted stays; what the post left out is derived. */
  #traceFields({
    completions: _completions,
    loggedEvents: _loggedEvents,
    spans: _spans,
    errorEvents: _errorEvents,
    ...derived
  }: PricedTrace) {
    const { piece, existing } = this.#merge;
    const { posted } = this.#stored.state;
    if (!posted || !existing) return { ...derived, id: piece.id };
    return {
      ...derived,
      id: piece.id,
      name: existing.name,
      status: existing.status,
      startedAt: Date.parse(existing.startedAt),
      sessionId: posted.sessionId ?? derived.sessionId,
      totalCost: posted.totalCost ?? derived.totalCost,
      isCostDerived: posted.totalCost === null && derived.isCostDerived,
      totalTokens: posted.totalTokens ?? derived.totalTokens,
      totalDuration: posted.totalDuration ?? derived.totalDuration,
    };
  }
}

/**
 * The parts from this one on are stored as one. Parts that are longer than all after them together stay, so each is written
 * again a few times at most. Lengths are those before compression, which is what writing them takes.
 */
function firstCompacted(lengths: readonly number[]): number {
  if (lengths.length <= MAX_PARTS) return lengths.length;
  let after = lengths.reduce((sum, length) => sum + length, 0);
  return lengths.findIndex((length) => {
    after -= length;
    return length <= after;
  });
}

const readPosted = ({ isUnread: _isUnread, ...posted }: NonNullable<MergeState["posted"]>) => posted;

function withPayloads(span: ParsedSpan, payloads: (Buffer | null)[] = []): ParsedSpan {
  const values = PACKED_FIELDS.spans.map((field, index) => {
    const bytes = payloads[index];
    return [field, bytes && new RawJson(bytes, 0, bytes.length)];
  });
  return payloads.length === 0 ? span : { ...span, ...Object.fromEntries(values) };
}

/** When a worker derives the trace again, in seconds from now; null if that changes nothing. */
function deriveAfterS(
  trace: { name: string } | undefined,
  { searchedName, isDue }: MergeState,
  spanCount: number,
): number | null {
  if (isDue) return 0;
  if (!trace) return Math.max(DERIVED_LATE_AFTER_S, spanCount / SPANS_PER_SECOND_LATE);
  return searchedName === undefined || searchedName === trace.name ? null : NAMED_LATE_AFTER_S;
}

const openPartsOf = ({ state, nextPart }: StoredPieces) => ({
  // A worker may have packed the trace again, into fewer parts.
  firstPart: Math.min(state.openPart, nextPart),
  nextPart,
  bytes: state.openBytes,
});

const withoutDecisions = <Trace extends { decisionPoints: unknown }>({
  decisionPoints: _decisionPoints,
  ...fields
}: Trace) => fields;

interface PricedTrace extends UnpricedTrace {
  models: ModelCost[];
  isCostDerived: boolean;
}

/** Computes the cost of a trace and what each of its models used. */
function priced(derived: UnpricedTrace, prices: Prices | undefined): PricedTrace {
  if (!prices) return { ...derived, models: [], isCostDerived: false };
  const { spans, isComputed } = priceSpans(derived.spans, prices);
  const models = spans.some(({ usage }) => usage) ? modelCosts(spans) : [];
  if (!isComputed) return { ...derived, spans, models, isCostDerived: false };
  return { ...derived, spans, models, totalCost: totalCost(spans), isCostDerived: true };
}

/** The spans that log records of the piece complete. */
function loggedSpanIds({ loggedIds }: TracePiece, { completions }: DerivedTrace): string[] {
  if (loggedIds === "all") return [...completions.keys()];
  const logged = new Set(loggedIds);
  return [...completions].flatMap(([id, { callId = id }]) =>
    logged.has(id) || logged.has(callId) ? id : [],
  );
}

/** Adds inputs and outputs that log records say and the spans lack. */
function complete(spans: ParsedSpan[], { completions }: DerivedTrace) {
  for (const span of spans) {
    const { input, output } = completions.get(span.id) ?? {};
    span.input ??= input ?? null;
    span.output ??= output ?? null;
  }
}
