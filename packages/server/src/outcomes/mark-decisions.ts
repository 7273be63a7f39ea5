import { NO_SPAN, SpanTree } from "@whytrace/contract";
import { type DecidedPoint, type DecidedSpan, endOf } from "../decision-facts/decided-trace.ts";
import { decisionScopes } from "../decision-facts/decision-scopes.ts";
import { ScopeRanges } from "../decision-facts/scope-ranges.ts";
import type { JudgedReason } from "./judged-reason.ts";
import type { Marks } from "./marks.ts";

/** The spans, decisions and events of a run, as far as marks look at them. Instants are milliseconds since 1970. */
export interface MarkedTrace {
  spans: readonly Pick<
    DecidedSpan,
    "id" | "parentSpanId" | "type" | "startedAt" | "endedAt" | "durationMs"
  >[];
  decisionPoints: readonly (Pick<DecidedPoint, "parentSpanId" | "timestamp" | "position"> & { id: string })[];
  events: readonly { id: string; spanId: string | null; timestamp: number }[];
}

/** Whether it has to be known where spans, decisions or events are, to mark what these reasons are about. */
const needsPlaces = (reasons: readonly JudgedReason[]): boolean =>
  reasons.some(({ place }) => place.kind !== "run");

/** Of runs with more spans, and if there are more places to look at, the whole run is marked: finding them takes too long. */
const MAX_SPANS = 20_000;
const MAX_COMPARISONS = 2_000_000;

/** Whether the decisions that these reasons follow are looked for in a run of this size. */
export const isPlaced = (
  reasons: readonly JudgedReason[],
  { spanCount, decisionPointCount }: { spanCount: number; decisionPointCount: number },
): boolean =>
  needsPlaces(reasons) && spanCount <= MAX_SPANS && reasons.length * decisionPointCount <= MAX_COMPARISONS;

/** The errors themselves are the marks of a run that ended in ERROR. */
const isMarked = ({ kind }: JudgedReason) => kind !== "status";

/** Marks without places: what is not about the run is taken for the run. */
export const markRun = (reasons: readonly JudgedReason[]): Marks => ({
  isRun: reasons.some(isMarked),
  marked: new Set(),
  leftOut: new Set(),
  fingerprints: fingerprintsOf(reasons),
  scoredAt: null,
});

/** Those of the first condition first. Within a condition their order must not depend on what came first. */
function fingerprintsOf(reasons: readonly JudgedReason[]): number[] {
  const byCondition = Map.groupBy(reasons, ({ condition }) => condition);
  const fingerprints = [...byCondition.values()].flatMap((some) =>
    some.flatMap(({ fingerprint }) => fingerprint ?? []).sort((one, other) => one - other),
  );
  return [...new Set(fingerprints)];
}

/**
 * Finds the decisions that the reasons of a bad run follow:
 *   - the run: all decisions;
 *   - a span: those made inside it, and those made before it began, in a span that contains it or had ended by then. A branch that still
 *     ran beside it is not concerned; an unknown end counts as ended;
 *   - an event: those before it whose scope contains it;
 *   - a decision by a score: that one alone; by a condition: those before it, and it is left out itself;
 *   - what is not in the trace: the run.
 * Scores also say at which turn the run went wrong, unless one of them is about more than a turn.
 */
export function markDecisions(trace: MarkedTrace, reasons: readonly JudgedReason[]): Marks {
  const marker = new Marker(trace);
  let isRun = false;
  for (const reason of reasons) if (isMarked(reason) && !marker.mark(reason)) isRun = true;
  return {
    isRun,
    marked: marker.marked,
    leftOut: marker.leftOut,
    fingerprints: fingerprintsOf(reasons),
    scoredAt: marker.firstScored(reasons.filter(({ scoreId }) => scoreId !== null)),
  };
}

type MarkedDecision = MarkedTrace["decisionPoints"][number];

class Marker {
  readonly marked = new Set<number>();
  readonly leftOut = new Set<number>();
  readonly #trace: MarkedTrace;
  readonly #tree: SpanTree;
  readonly #ranges: ScopeRanges;
  #scopes: number[] | undefined;
  #eventIndexes: ReadonlyMap<string, number> | undefined;
  #decisionIndexes: ReadonlyMap<string, number> | undefined;

  constructor(trace: MarkedTrace) {
    this.#trace = trace;
    this.#tree = new SpanTree(trace.spans);
    this.#ranges = new ScopeRanges(this.#tree);
  }

  /** Returns false if the place is the run, or is not in the trace. */
  mark({ place: { kind, id }, scoreId }: JudgedReason): boolean {
    if (kind === "span") return this.#markSpan(id);
    if (kind === "event") return this.#markEvent(id);
    return kind === "decision" && this.#markDecision(id, scoreId !== null);
  }

  /** The position of a decision of the turn that the first of these scores is about; null if one is about several turns or none. */
  firstScored(reasons: readonly JudgedReason[]): number | null {
    let first: { timestamp: number; position: number } | undefined;
    for (const { place } of reasons) {
      const scored = this.#turnOf(place);
      if (!scored) return null;
      if (!first || isBefore(scored, first)) first = scored;
    }
    return first?.position ?? null;
  }

  /**
   * A decision of the turn that a place is about: of a span without decisions, the last one whose result it had. What a model answered
   * at the end rests on all turns.
   */
  #turnOf({ kind, id }: JudgedReason["place"]) {
    const { decisionPoints, spans } = this.#trace;
    const at = (decision: MarkedDecision, index: number) => ({
      timestamp: decision.timestamp,
      position: decision.position ?? index,
    });
    if (kind === "decision") {
      const index = this.#findDecision(id);
      const decision = decisionPoints[index];
      return decision && at(decision, index);
    }
    const span = this.#tree.find(id);
    if (kind !== "span" || !spans[span]) return undefined;
    let inside: { parent: number; timestamp: number; position: number } | undefined;
    let before: { timestamp: number; position: number } | undefined;
    for (const [index, decision] of decisionPoints.entries()) {
      const parent = this.#tree.find(decision.parentSpanId);
      const one = at(decision, index);
      if (this.#isInside(span, parent)) {
        if (inside && !(inside.parent === parent && spans[parent]?.type === "LLM_CALL")) return undefined;
        inside = { ...one, parent };
      } else if (this.#hadResult(span, decision) && (!before || isBefore(before, one))) before = one;
    }
    return inside ?? (spans[span]?.type === "LLM_CALL" ? undefined : before);
  }

  #isInside(span: number, parent: number): boolean {
    return parent !== NO_SPAN && this.#ranges.contains(span, parent);
  }

  /** Whether a decision was made before a span began, in a span that contains it or had ended by then. */
  #hadResult(span: number, { parentSpanId, timestamp }: MarkedDecision): boolean {
    const startedAt = this.#trace.spans[span]?.startedAt ?? Number.NEGATIVE_INFINITY;
    if (timestamp > startedAt) return false;
    const parent = this.#tree.find(parentSpanId);
    const made = this.#trace.spans[parent];
    return (
      !made || this.#ranges.contains(parent, span) || (endOf(made) ?? Number.NEGATIVE_INFINITY) <= startedAt
    );
  }

  #markSpan(id: string | null): boolean {
    const span = this.#tree.find(id);
    if (!this.#trace.spans[span]) return false;
    this.#markWhere(
      (decision) =>
        this.#isInside(span, this.#tree.find(decision.parentSpanId)) || this.#hadResult(span, decision),
    );
    return true;
  }

  #markEvent(id: string | null): boolean {
    const { decisionPoints, spans, events } = this.#trace;
    this.#eventIndexes ??= indexesOf(events);
    const event = events[this.#eventIndexes.get(id ?? "") ?? -1];
    if (!event) return false;
    this.#scopes ??= decisionScopes(decisionPoints, spans, this.#tree);
    const scopes = this.#scopes;
    const place = this.#tree.find(event.spanId);
    this.#markWhere(
      ({ timestamp }, index) =>
        timestamp < event.timestamp && this.#ranges.contains(scopes[index] ?? NO_SPAN, place),
    );
    return true;
  }

  #markDecision(id: string | null, isByScore: boolean): boolean {
    const index = this.#findDecision(id);
    const decision = this.#trace.decisionPoints[index];
    if (!decision) return false;
    const position = decision.position ?? index;
    if (isByScore) this.marked.add(position);
    else {
      this.leftOut.add(position);
      this.#markWhere(({ timestamp }) => timestamp < decision.timestamp);
    }
    return true;
  }

  #findDecision(id: string | null): number {
    this.#decisionIndexes ??= indexesOf(this.#trace.decisionPoints);
    return this.#decisionIndexes.get(id ?? "") ?? -1;
  }

  #markWhere(isFollowed: (decision: MarkedDecision, index: number) => boolean) {
    for (const [index, decision] of this.#trace.decisionPoints.entries())
      if (isFollowed(decision, index)) this.marked.add(decision.position ?? index);
  }
}

const isBefore = (
  one: { timestamp: number; position: number },
  other: { timestamp: number; position: number },
) => one.timestamp < other.timestamp || (one.timestamp === other.timestamp && one.position < other.position);

const indexesOf = (list: readonly { id: string }[]) => new Map(list.map(({ id }, index) => [id, index]));
