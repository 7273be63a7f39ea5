import { DECISION_POINT_TYPES, EVENT_TYPES, MAX_ID_BYTES, MAX_TAGS, SPAN_TYPES } from "@whytrace/contract";
import type { DecisionPayload, EventPayload, SpanPayload, TracePayload } from "./payload.ts";
import { RecordFields, sanitizeId, setNumbers } from "./record-fields.ts";
import { fitTrace } from "./send/fit-trace.ts";
import type { Sendable } from "./send/sendable.ts";
import type { Redact, RedactError } from "./send/to-json.ts";
import { byteLength, truncateUtf8 } from "./send/utf8.ts";
import type {
  DecisionDetails,
  EventOptions,
  ScoreArguments,
  SpanFields,
  SpanOptions,
  TraceFields,
  TraceFormat,
  TraceOptions,
  WaitUntil,
} from "./types.ts";

/** One truncation may not be enough, because escaping makes the JSON longer than estimated. */
const MAX_TRUNCATIONS = 4;
/** Of a span, decision or event without its names and payloads. */
const RECORD_WEIGHT = 256;
/** A trace above this weight is truncated in memory. */
const MAX_TRACE_WEIGHT = 16 * 1_024 * 1_024;
const TRUNCATED_TRACE_BYTES = 8 * 1_024 * 1_024;
/** The body of POST /api/traces, which replaces traces of the same id. */
const JSON_FORMAT: TraceFormat = { path: "/api/traces", list: "traces", toJson: (trace) => trace };
const STILL_OPEN = "still open when its trace ended";

interface RecordingHooks {
  redact: Redact | undefined;
  onRedactError(error: RedactError, traceId: string): void;
  /** The trace has ended, but a span still keeps it open. */
  onLinger(): void;
  /** Called again for every later revision. */
  onFinal(): void;
  /** A score is no part of the trace: it is sent on its own. */
  addScore(...given: ScoreArguments): void;
}

interface OpenSpan {
  startedMs: number;
  keepsTraceOpen: boolean | undefined;
  /** The trace became final before the span ended, and the status message says so. */
  isMarked?: boolean;
}

type EndStatus = "COMPLETED" | "ERROR";

/**
 * A trace while it is recorded. Its payload can be sent at any time: values are converted to JSON when they are
 * recorded, and input that the server would refuse (an unknown type, a name that is too long) is corrected.
 *
 * An ended trace becomes final when no span keeps it open. A change to a final trace, for example an event of a stream
 * that outlives the traced function, makes a new revision, which replaces the trace on the server.
 */
export class Recording implements Sendable {
  readonly trace: TracePayload;
  readonly waitUntil: WaitUntil | undefined;
  readonly addScore: RecordingHooks["addScore"];
  readonly format: TraceFormat;
  isFinal = false;
  /** How often the trace has become final. */
  revision = 0;
  /** Set once the trace has ended, even if spans still keep it open. */
  endStatus: EndStatus | undefined;
  readonly #hooks: RecordingHooks;
  readonly #fields: RecordFields;
  readonly #startedMs = performance.now();
  /** Includes the spans that were open when the trace became final, so that they can still end. */
  readonly #openSpans = new Map<SpanPayload, OpenSpan>();
  #spansKeepingOpen = 0;
  #endedMs: number | undefined;
  /** When the trace, or the last span that outlived it, ended. */
  #end = { at: "", ms: 0 };
  /** Of the last span to end after the trace among those that keep it open. */
  #lateStatus: EndStatus = "COMPLETED";
  #lastIdNumber = 0;
  #explicitTotals: { totalCost?: number; totalTokens?: number } = {};

  constructor(id: string, name: string, options: TraceOptions, hooks: RecordingHooks) {
    this.#hooks = hooks;
    this.#fields = new RecordFields(hooks.redact, (error) => hooks.onRedactError(error, id), RECORD_WEIGHT);
    this.waitUntil = options.waitUntil;
    this.addScore = hooks.addScore;
    this.format = options.format ?? JSON_FORMAT;
    this.trace = {
      id,
      name: "",
      status: "RUNNING",
      tags: [],
      startedAt: now(),
      spans: [],
      decisionPoints: [],
      events: [],
    };
    this.trace.name = this.#fields.name(name, "trace.name");
    this.setTrace(options);
  }

  setTrace(fields: TraceFields): void {
    this.#change(() => this.#setTrace(fields));
  }

  #setTrace(fields: TraceFields): void {
    const { trace } = this;
    if (fields.name !== undefined) trace.name = this.#fields.name(fields.name, "trace.name");
    if (fields.sessionId !== undefined) {
      const sessionId = this.#fields.text(fields.sessionId, "trace.sessionId");
      if (sessionId) trace.sessionId = sanitizeId(sessionId);
    }
    if (fields.tags !== undefined)
      trace.tags = [...fields.tags]
        .slice(0, MAX_TAGS)
        .flatMap((tag, index) => this.#fields.text(tag, `trace.tags.${index}`) ?? [])
        .map((tag) => truncateUtf8(tag, MAX_ID_BYTES));
    this.#fields.mergeMetadata(trace, fields, "trace");
    setNumbers(this.#explicitTotals, fields, "totalCost", "totalTokens");
  }

  startSpan(name: string, options: SpanOptions, parentSpanId: string | undefined): SpanPayload {
    const span: SpanPayload = {
      id: this.format.newSpanId?.() ?? this.#nextId("s"),
      parentSpanId,
      name: this.#fields.name(name, "span.name"),
      type: SPAN_TYPES.find((type) => type === options.type) ?? "CUSTOM",
      status: "RUNNING",
      startedAt: now(),
    };
    const { keepsTraceOpen } = options;
    this.#change(() => {
      this.#fields.setJson(span, options, "span", "input");
      this.#fields.mergeMetadata(span, options, "span");
      this.trace.spans.push(span);
      this.#openSpans.set(span, { startedMs: performance.now(), keepsTraceOpen });
      if (keepsTraceOpen) this.#spansKeepingOpen++;
    }, RECORD_WEIGHT);
    return span;
  }

  setSpan(span: SpanPayload, fields: SpanFields): void {
    if (!this.#openSpans.has(span)) return;
    this.#change(() => {
      if (fields.name !== undefined) span.name = this.#fields.name(fields.name, "span.name");
      this.#fields.setJson(span, fields, "span", "input", "output");
      setNumbers(span, fields, "tokenCount", "costUsd");
      if (fields.statusMessage !== undefined) this.#fields.message(span, fields.statusMessage);
      this.#fields.mergeMetadata(span, fields, "span");
    });
  }

  endSpan(span: SpanPayload, status: EndStatus, message?: string): void {
    const open = this.#openSpans.get(span);
    if (!open) return;
    this.#change(() => {
      this.#openSpans.delete(span);
      span.status = status;
      if (message !== undefined) this.#fields.message(span, message);
      // One reading for both, because a span that outlives its trace is the end of the trace.
      const end = { at: now(), ms: performance.now() };
      span.endedAt = end.at;
      span.durationMs = roundMs(end.ms - open.startedMs);
      if (this.endStatus) this.#end = end;
      if (!open.keepsTraceOpen) return;
      this.#spansKeepingOpen--;
      if (this.endStatus) this.#lateStatus = status;
    });
  }

  addDecision(
    given: {
      type: unknown;
      chosen: unknown;
      alternatives: unknown[];
      durationMs?: number;
      probability?: number | undefined;
    } & DecisionDetails,
    parentSpanId: string | undefined,
  ): void {
    const decision: DecisionPayload = {
      id: this.#nextId("d"),
      type: DECISION_POINT_TYPES.find((type) => type === given.type) ?? "CUSTOM",
      chosen: null,
      alternatives: [],
      parentSpanId,
      timestamp: now(),
    };
    setNumbers(decision, given, "durationMs", "costUsd");
    const { probability = 0 } = given;
    if (probability > 0 && probability <= 1) decision.probability = probability;
    this.#change(() => {
      const reasoning =
        given.reasoning === undefined ? undefined : this.#fields.text(given.reasoning, "decision.reasoning");
      if (reasoning !== undefined) decision.reasoning = reasoning;
      this.#fields.setJson(decision, given, "decision", "chosen", "alternatives", "contextSnapshot");
      if (!Array.isArray(decision.alternatives)) decision.alternatives = [];
      this.trace.decisionPoints.push(decision);
    }, RECORD_WEIGHT);
  }

  addEvent(name: string, options: EventOptions, spanId: string | undefined): void {
    const event: EventPayload = {
      id: this.#nextId("e"),
      spanId,
      type: EVENT_TYPES.find((type) => type === options.type) ?? "CUSTOM",
      name: this.#fields.name(name, "event.name"),
      timestamp: now(),
    };
    this.#change(() => {
      this.#fields.setJson(event, options, "event", "metadata");
      this.trace.events.push(event);
    }, RECORD_WEIGHT);
  }

  /** The trace becomes final now, or when the last span that keeps it open has ended. A completed trace can still fail. */
  end(status: EndStatus): void {
    if (this.endStatus === "ERROR" || this.endStatus === status) return;
    this.#change(() => {
      if (!this.endStatus) this.#markEnd();
      this.endStatus = status;
    });
  }

  /** Makes the trace final although spans keep it open. `spanMessage` becomes the status message of open spans. */
  finish(status: EndStatus = this.endStatus ?? "ERROR", spanMessage = STILL_OPEN): void {
    if (this.isFinal) return;
    this.endStatus = status;
    this.#markEnd();
    this.#becomeFinal(spanMessage);
  }

  /** Makes a change, after which an ended trace becomes final (again) unless a span keeps it open. */
  #change(work: () => void, weight = 0): void {
    const { isFinal, endStatus } = this;
    if (isFinal) this.#reopen();
    this.#fields.weight += weight;
    try {
      work();
      if (this.weight > MAX_TRACE_WEIGHT) this.#truncate(TRUNCATED_TRACE_BYTES);
    } finally {
      if (this.endStatus) {
        if (this.#spansKeepingOpen === 0) this.#becomeFinal(STILL_OPEN);
        else if (isFinal || !endStatus) this.#hooks.onLinger();
      }
    }
  }

  #becomeFinal(spanMessage: string): void {
    const { trace } = this;
    const { at, ms } = this.#end;
    const status = this.endStatus === "ERROR" ? "ERROR" : this.#lateStatus;
    for (const [span, open] of this.#openSpans) {
      span.status = status;
      span.endedAt = [at, span.startedAt].toSorted()[1] ?? at;
      span.durationMs = Math.max(0, roundMs(ms - open.startedMs));
      open.isMarked = span.statusMessage === undefined;
      if (open.isMarked) this.#fields.message(span, spanMessage);
    }
    trace.status = status;
    trace.endedAt = at;
    this.#updateTotals();
    trace.totalDuration = roundMs(ms - this.#startedMs);
    this.isFinal = true;
    this.revision++;
    this.#hooks.onFinal();
  }

  #reopen(): void {
    this.isFinal = false;
    this.trace.status = "RUNNING";
    delete this.trace.endedAt;
    for (const [span, { isMarked }] of this.#openSpans) {
      span.status = "RUNNING";
      delete span.endedAt;
      delete span.durationMs;
      if (isMarked) delete span.statusMessage;
    }
  }

  #markEnd(): void {
    this.#end = { at: now(), ms: performance.now() };
    this.#endedMs ??= this.#end.ms;
  }

  /** Sums up the spans unless the user gave totals. An unknown cost is left out rather than 0. */
  #updateTotals(): void {
    if (this.isFinal) return;
    const { trace } = this;
    trace.totalDuration = roundMs(this.ageMs);
    const cost = this.#explicitTotals.totalCost ?? sum(trace.spans, "costUsd");
    const tokens = this.#explicitTotals.totalTokens ?? sum(trace.spans, "tokenCount");
    if (cost !== undefined) trace.totalCost = cost;
    if (tokens !== undefined) trace.totalTokens = tokens;
  }

  get traceId(): string {
    return this.trace.id;
  }

  get name(): string {
    return this.trace.name;
  }

  get weight(): number {
    return this.#fields.weight;
  }

  /** Of all states of the recording, the newest is sent. */
  get key(): string {
    return this.format.key ?? this.trace.id;
  }

  get ageMs(): number {
    return performance.now() - this.#startedMs;
  }

  /** How long spans have kept the trace open since it ended. */
  get lingerMs(): number {
    return this.#endedMs === undefined ? 0 : performance.now() - this.#endedMs;
  }

  #nextId(kind: string): string {
    this.#lastIdNumber++;
    return `${kind}${this.#lastIdNumber}`;
  }

  serialize(maxBytes: number): string | undefined {
    this.#updateTotals();
    if (this.weight > maxBytes) this.#truncate(maxBytes);
    for (let count = 0; count <= MAX_TRUNCATIONS; count++) {
      const json = JSON.stringify(this.format.toJson(this.trace));
      if (byteLength(json) <= maxBytes) return json;
      this.#truncate(Math.floor(maxBytes * 0.9 ** count));
    }
    return undefined;
  }

  #truncate(maxBytes: number): void {
    fitTrace(this.trace, maxBytes);
    this.#fields.weight = byteLength(JSON.stringify(this.trace));
  }
}

const now = () => new Date().toISOString();
const roundMs = (ms: number) => Math.round(ms * 1_000) / 1_000;
function sum(spans: SpanPayload[], field: "costUsd" | "tokenCount"): number | undefined {
  let total: number | undefined;
  for (const span of spans) if (span[field] !== undefined) total = (total ?? 0) + span[field];
  return total;
}
