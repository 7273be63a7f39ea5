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
  };
}

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

  #markSpan(id: string | null): boolean {
    const index = this.#tree.find(id);
    const span = this.#trace.spans[index];
    if (!span) return false;
    this.#markWhere(({ parentSpanId, timestamp }) => {
      const parent = this.#tree.find(parentSpanId);
      if (parent !== NO_SPAN && this.#ranges.contains(index, parent)) return true;
      if (timestamp > span.startedAt) return false;
      const made = this.#trace.spans[parent];
      return (
        !made ||
        this.#ranges.contains(parent, index) ||
        (endOf(made) ?? Number.NEGATIVE_INFINITY) <= span.startedAt
      );
    });
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
    const { decisionPoints } = this.#trace;
    this.#decisionIndexes ??= indexesOf(decisionPoints);
    const index = this.#decisionIndexes.get(id ?? "") ?? -1;
    const decision = decisionPoints[index];
    if (!decision) return false;
    const position = decision.position ?? index;
    if (isByScore) this.marked.add(position);
    else {
      this.leftOut.add(position);
      this.#markWhere(({ timestamp }) => timestamp < decision.timestamp);
    }
    return true;
  }

  #markWhere(isFollowed: (decision: MarkedTrace["decisionPoints"][number], index: number) => boolean) {
    for (const [index, decision] of this.#trace.decisionPoints.entries())
      if (isFollowed(decision, index)) this.marked.add(decision.position ?? index);
  }
}

const indexesOf = (list: readonly { id: string }[]) => new Map(list.map(({ id }, index) => [id, index]));
