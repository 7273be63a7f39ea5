import { NO_SPAN, SpanTree } from "@whytrace/contract";
import { latest } from "./latest.ts";

/* The errors of one trace. Instants are milliseconds. Spans and events have ids of any type: ids of a trace may be long. */

export interface BlameSpan<Id> {
  id: Id;
  parentSpanId: Id | null;
  isFailed: boolean;
  startedAt: number;
  endedAt: number | null;
}
export interface BlameDecision<Id> {
  type: string;
  parentSpanId: Id | null;
  timestamp: number;
}
export interface ErrorEvent<Id> {
  id: Id;
  spanId: Id | null;
  timestamp: number;
}
export interface TraceRecords<Id> {
  status: string;
  startedAt: number;
  endedAt: number | null;
  /** At least the failed spans, those in which something was decided, and those that contain them. */
  spans: readonly BlameSpan<Id>[];
  decisions: readonly BlameDecision<Id>[];
  /** Events of the type ERROR. */
  events: readonly ErrorEvent<Id>[];
}

/** A span that failed, or an event; neither if only the trace itself says that it failed. */
export interface TraceError<Id> {
  spanId: Id | null;
  eventId: Id | null;
  /** Decisions up to here may have caused it. */
  at: number;
}

/** Finds where errors of a trace come from: a span often fails only because a span inside it did. */
export class TraceErrors<Id> {
  readonly #trace: TraceRecords<Id>;
  readonly #tree: SpanTree<Id>;
  /** By index of a span, from above: the last failed span of those that no other failed span inside it contains. */
  readonly #lastFailedInside: Int32Array;
  /** The same of the whole trace. */
  #lastFailed = NO_SPAN;
  /** By index of a span: when the last decision inside it was made. */
  readonly #lastDecidedInside: Float64Array;

  private constructor(trace: TraceRecords<Id>) {
    this.#trace = trace;
    this.#tree = new SpanTree(trace.spans);
    this.#lastFailedInside = new Int32Array(trace.spans.length).fill(NO_SPAN);
    this.#lastDecidedInside = new Float64Array(trace.spans.length).fill(-Infinity);
  }

  /** Other work can run between steps. */
  static *find<Id>(trace: TraceRecords<Id>): Generator<undefined, TraceErrors<Id>> {
    const errors = new TraceErrors(trace);
    yield;
    const topDown = errors.#tree.topDown();
    errors.#findFailedInside(topDown);
    yield;
    errors.#findLastDecided(topDown);
    yield;
    return errors;
  }

  #findFailedInside(topDown: Int32Array) {
    const { spans } = this.#trace;
    /** By index of a span: the nearest failed span that contains it. */
    const failedAround = new Int32Array(spans.length);
    for (const index of topDown) {
      const parent = this.#tree.parent[index] ?? NO_SPAN;
      failedAround[index] = spans[parent]?.isFailed ? parent : (failedAround[parent] ?? NO_SPAN);
    }
    let index = -1;
    for (const { isFailed, startedAt } of spans) {
      index += 1;
      if (!isFailed) continue;
      const container = failedAround[index] ?? NO_SPAN;
      const last = container === NO_SPAN ? this.#lastFailed : (this.#lastFailedInside[container] ?? NO_SPAN);
      if (startedAt < (spans[last]?.startedAt ?? -Infinity)) continue;
      if (container === NO_SPAN) this.#lastFailed = index;
      else this.#lastFailedInside[container] = index;
    }
  }

  #findLastDecided(topDown: Int32Array) {
    const last = this.#lastDecidedInside;
    const raise = (index: number, timestamp: number) => {
      if (index !== NO_SPAN && timestamp > (last[index] ?? 0)) last[index] = timestamp;
    };
    for (const { parentSpanId, timestamp } of this.#trace.decisions)
      raise(this.#tree.find(parentSpanId), timestamp);
    for (const index of topDown.toReversed())
      raise(this.#tree.parent[index] ?? NO_SPAN, last[index] ?? -Infinity);
  }

  /** The last errors, in the order of time. A span that failed because of one inside it is no error of its own. */
  list(limit: number): TraceError<Id>[] {
    const errors = [...this.#all()];
    return errors.length === 0 && this.#trace.status === "ERROR"
      ? [this.#errorOfTrace()]
      : latest(errors, limit, ({ at }) => at);
  }

  /** The first error at or after a time; undefined if none came. */
  firstSince(time: number): TraceError<Id> | undefined {
    let first: TraceError<Id> | undefined;
    for (const error of this.#all()) if (error.at >= time && !(first && first.at <= error.at)) first = error;
    return first;
  }

  *#all(): Generator<TraceError<Id>> {
    const { spans, events } = this.#trace;
    for (const [index, { isFailed }] of spans.entries())
      if (isFailed && this.#lastFailedInside[index] === NO_SPAN) yield this.#errorOfSpan(index);
    for (const event of events)
      if (!spans[this.#tree.find(event.spanId)]?.isFailed) yield errorOfEvent(event);
  }

  /** The error that a failed span ended with; undefined if it did not fail. */
  ofSpan(spanId: Id): TraceError<Id> | undefined {
    const index = this.#tree.find(spanId);
    return this.#trace.spans[index]?.isFailed ? this.#errorOfSpan(this.#originOf(index)) : undefined;
  }

  /** The error that the trace ended with; undefined if it has none. */
  ofTrace(): TraceError<Id> | undefined {
    return this.#lastFailed === NO_SPAN
      ? this.list(1).at(0)
      : this.#errorOfSpan(this.#originOf(this.#lastFailed));
  }

  /** The error of the whole run, whatever failed inside it. */
  ofRun(): TraceError<Id> {
    return this.#lastFailed === NO_SPAN ? this.#errorOfTrace() : this.#errorOfSpan(this.#lastFailed);
  }

  #originOf(failed: number): number {
    let origin = failed;
    for (let next = failed; next !== NO_SPAN; next = this.#lastFailedInside[next] ?? NO_SPAN) origin = next;
    return origin;
  }

  /** A span without decisions failed because of what came before it; one with decisions, also because of those. */
  #errorOfSpan(index: number): TraceError<Id> {
    const span = this.#trace.spans[index];
    const lastInside = this.#lastDecidedInside[index] ?? -Infinity;
    const startedAt = span?.startedAt ?? 0;
    const at = lastInside === -Infinity ? startedAt : (span?.endedAt ?? lastInside);
    return { spanId: span?.id ?? null, eventId: null, at };
  }

  #errorOfTrace(): TraceError<Id> {
    const { startedAt, endedAt, decisions } = this.#trace;
    const last = decisions.reduce((latest, { timestamp }) => Math.max(latest, timestamp), startedAt);
    return { spanId: null, eventId: null, at: Math.max(endedAt ?? last, last) };
  }
}

export const errorOfEvent = <Id>({ id, spanId, timestamp }: ErrorEvent<Id>): TraceError<Id> => ({
  spanId,
  eventId: id,
  at: timestamp,
});
