/* The errors of one trace. Instants are milliseconds. */

export interface BlameSpan {
  id: string;
  parentSpanId: string | null;
  name: string;
  status: string;
  statusMessage: string | null;
  startedAt: number;
  endedAt: number | null;
}
export interface BlameDecision {
  id: string;
  type: string;
  parentSpanId: string | null;
  timestamp: number;
}
export interface ErrorEvent {
  spanId: string | null;
  name: string;
  timestamp: number;
}
export interface TraceRecords {
  name: string;
  status: string;
  startedAt: number;
  endedAt: number | null;
  /** At least the failed spans, those in which something was decided, and those that contain them. */
  spans: readonly BlameSpan[];
  decisions: readonly BlameDecision[];
  /** Events of the type ERROR. */
  events: readonly ErrorEvent[];
}

export interface TraceError {
  /** Null if it is an event outside of all spans, or if only the trace itself says that it failed. */
  spanId: string | null;
  name: string;
  message: string | null;
  /** Decisions up to here may have caused it. */
  at: number;
}

/** Finds where errors of a trace come from: a span often fails only because a span inside it did. */
export class TraceErrors {
  readonly #trace: TraceRecords;
  readonly #spans: ReadonlyMap<string, BlameSpan>;
  /** Failed spans by the nearest failed span that contains them; null: none does. */
  readonly #failedInside = new Map<string | null, BlameSpan[]>();
  /** When the last decision inside of a span was made. */
  readonly #lastDecidedInside = new Map<string, number>();

  constructor(trace: TraceRecords) {
    this.#trace = trace;
    this.#spans = new Map(trace.spans.map((span) => [span.id, span]));
    for (const span of trace.spans) {
      if (span.status !== "ERROR") continue;
      const container = this.#failedAround(span);
      const siblings = this.#failedInside.get(container);
      if (siblings) siblings.push(span);
      else this.#failedInside.set(container, [span]);
    }
    for (const siblings of this.#failedInside.values()) siblings.sort((a, b) => a.startedAt - b.startedAt);
    for (const { parentSpanId, timestamp } of trace.decisions.toSorted((a, b) => b.timestamp - a.timestamp))
      for (
        let id = parentSpanId;
        id !== null && !this.#lastDecidedInside.has(id);
        id = this.#spans.get(id)?.parentSpanId ?? null
      )
        this.#lastDecidedInside.set(id, timestamp);
  }

  /** All errors in the order of time. A span that failed because of one inside it is no error of its own. */
  list(): TraceError[] {
    const origins = this.#trace.spans.filter(
      (span) => span.status === "ERROR" && !this.#failedInside.has(span.id),
    );
    const failedSpanIds = new Set(
      this.#trace.spans.flatMap((span) => (span.status === "ERROR" ? span.id : [])),
    );
    const lone = this.#trace.events.filter(({ spanId }) => spanId === null || !failedSpanIds.has(spanId));
    const errors = [
      ...origins.map((span) => this.#errorOfSpan(span)),
      ...lone.map(({ spanId, name, timestamp }) => ({ spanId, name, message: null, at: timestamp })),
    ].sort((a, b) => a.at - b.at);
    return errors.length === 0 && this.#trace.status === "ERROR" ? [this.#errorOfTrace()] : errors;
  }

  /** The error that a failed span ended with, or one that an event in it reports; undefined if there is none. */
  ofSpan(spanId: string): TraceError | undefined {
    const span = this.#spans.get(spanId);
    if (span?.status === "ERROR") return this.#errorOfSpan(this.#originOf(span));
    const event = this.#trace.events.findLast((event) => event.spanId === spanId);
    return event && { spanId, name: event.name, message: null, at: event.timestamp };
  }

  /** The error that the trace ended with; undefined if it has none. */
  ofTrace(): TraceError | undefined {
    const last = this.#failedInside.get(null)?.at(-1);
    return last ? this.#errorOfSpan(this.#originOf(last)) : this.list().at(-1);
  }

  /** The spans that contain a span, the span itself first. */
  spansAround(spanId: string | null): Set<string> {
    const around = new Set<string>();
    for (let id = spanId; id !== null && !around.has(id); id = this.#spans.get(id)?.parentSpanId ?? null)
      around.add(id);
    return around;
  }

  #failedAround(span: BlameSpan): string | null {
    for (const id of this.spansAround(span.parentSpanId))
      if (id !== span.id && this.#spans.get(id)?.status === "ERROR") return id;
    return null;
  }

  #originOf(span: BlameSpan): BlameSpan {
    const seen = new Set<string>();
    let origin = span;
    for (
      let next: BlameSpan | undefined = span;
      next && !seen.has(next.id);
      next = this.#failedInside.get(next.id)?.at(-1)
    ) {
      seen.add(next.id);
      origin = next;
    }
    return origin;
  }

  /** A span without decisions failed because of what came before it; one with decisions, also because of those. */
  #errorOfSpan(span: BlameSpan): TraceError {
    const lastInside = this.#lastDecidedInside.get(span.id);
    const at = lastInside === undefined ? span.startedAt : (span.endedAt ?? lastInside);
    return { spanId: span.id, name: span.name, message: span.statusMessage, at };
  }

  #errorOfTrace(): TraceError {
    const { name, startedAt, endedAt, decisions } = this.#trace;
    const last = decisions.reduce((latest, { timestamp }) => Math.max(latest, timestamp), startedAt);
    return { spanId: null, name, message: null, at: Math.max(endedAt ?? last, last) };
  }
}
