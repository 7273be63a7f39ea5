import {
  DECISION_POINT_TYPES,
  EVENT_TYPES,
  MAX_ID_BYTES,
  MAX_NAME_BYTES,
  MAX_TAGS,
  SPAN_TYPES,
} from "@whytrace/contract";
import { fitTrace } from "./fit-trace.ts";
import type { DecisionPayload, SpanPayload, TracePayload } from "./payload.ts";
import { type Redact, RedactError, toJson } from "./to-json.ts";
import type {
  DecisionDetails,
  EventOptions,
  SpanFields,
  SpanOptions,
  TraceFields,
  TraceOptions,
  WaitUntil,
} from "./types.ts";
import { byteLength, truncateUtf8 } from "./utf8.ts";

/** Of a span, decision or event without its names and payloads. */
const RECORD_WEIGHT = 256;
/** A trace above this weight is truncated in memory. */
const MAX_TRACE_WEIGHT = 16 * 1_024 * 1_024;
const TRUNCATED_TRACE_BYTES = 8 * 1_024 * 1_024;

export interface RecordingHooks {
  redact: Redact | undefined;
  onRedactError(error: RedactError, traceId: string): void;
  onFinal(recording: Recording): void;
}

/**
 * A trace while it is recorded. Its payload can be sent at any time: values are converted to JSON when they are
 * recorded, and input that the server would refuse (an unknown type, a name that is too long) is corrected. A final
 * recording does not change.
 */
export class Recording {
  readonly trace: TracePayload;
  readonly waitUntil: WaitUntil | undefined;
  weight = RECORD_WEIGHT;
  isFinal = false;
  readonly #hooks: RecordingHooks;
  readonly #startedMs = performance.now();
  readonly #spanStartsMs = new Map<SpanPayload, number>();
  #lastIdNumber = 0;
  #explicitTotals: { totalCost?: number; totalTokens?: number } = {};

  constructor(id: string, name: string, options: TraceOptions, hooks: RecordingHooks) {
    this.#hooks = hooks;
    this.waitUntil = options.waitUntil;
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
    this.trace.name = this.#name(name, "trace.name");
    this.setTrace(options);
  }

  setTrace(fields: TraceFields): void {
    if (this.isFinal) return;
    const { trace } = this;
    if (fields.name !== undefined) trace.name = this.#name(fields.name, "trace.name");
    if (fields.sessionId !== undefined) {
      const sessionId = this.#text(fields.sessionId, "trace.sessionId");
      if (sessionId) trace.sessionId = sanitizeId(sessionId);
    }
    if (fields.tags !== undefined)
      trace.tags = [...fields.tags]
        .slice(0, MAX_TAGS)
        .flatMap((tag, index) => this.#text(tag, `trace.tags.${index}`) ?? [])
        .map((tag) => truncateUtf8(tag, MAX_ID_BYTES));
    this.#mergeMetadata(trace, fields.metadata, "trace.metadata");
    for (const total of ["totalCost", "totalTokens"] as const)
      if (isFiniteNumber(fields[total])) this.#explicitTotals[total] = fields[total];
  }

  startSpan(name: string, options: SpanOptions, parentSpanId: string | undefined): SpanPayload {
    const span: SpanPayload = {
      id: this.#nextId("s"),
      parentSpanId,
      name: this.#name(name, "span.name"),
      type: SPAN_TYPES.find((type) => type === options.type) ?? "CUSTOM",
      status: "RUNNING",
      startedAt: now(),
    };
    if (this.isFinal) return span;
    this.#setJson(span, "input", options.input, "span.input");
    this.#mergeMetadata(span, options.metadata, "span.metadata");
    this.weight += RECORD_WEIGHT;
    this.trace.spans.push(span);
    this.#spanStartsMs.set(span, performance.now());
    this.#limitMemory();
    return span;
  }

  setSpan(span: SpanPayload, fields: SpanFields): void {
    if (!this.#spanStartsMs.has(span)) return;
    if (fields.name !== undefined) span.name = this.#name(fields.name, "span.name");
    this.#setJson(span, "input", fields.input, "span.input");
    this.#setJson(span, "output", fields.output, "span.output");
    if (isFiniteNumber(fields.tokenCount)) span.tokenCount = fields.tokenCount;
    if (isFiniteNumber(fields.costUsd)) span.costUsd = fields.costUsd;
    if (fields.statusMessage !== undefined) this.#message(span, fields.statusMessage);
    this.#mergeMetadata(span, fields.metadata, "span.metadata");
    this.#limitMemory();
  }

  endSpan(span: SpanPayload, status: "COMPLETED" | "ERROR", message?: string): void {
    const startedMs = this.#spanStartsMs.get(span);
    if (startedMs === undefined) return;
    this.#spanStartsMs.delete(span);
    span.status = status;
    if (message !== undefined) this.#message(span, message);
    span.endedAt = now();
    span.durationMs = elapsedMs(startedMs);
  }

  addDecision(
    given: { type: unknown; chosen: unknown; alternatives: unknown[]; durationMs?: number } & DecisionDetails,
    parentSpanId: string | undefined,
  ): void {
    if (this.isFinal) return;
    const decision: DecisionPayload = {
      id: this.#nextId("d"),
      type: DECISION_POINT_TYPES.find((type) => type === given.type) ?? "CUSTOM",
      chosen: null,
      alternatives: [],
      parentSpanId,
      ...(isFiniteNumber(given.durationMs) && { durationMs: given.durationMs }),
      ...(isFiniteNumber(given.costUsd) && { costUsd: given.costUsd }),
      timestamp: now(),
    };
    const reasoning =
      given.reasoning === undefined ? undefined : this.#text(given.reasoning, "decision.reasoning");
    if (reasoning !== undefined) decision.reasoning = reasoning;
    this.#setJson(decision, "chosen", given.chosen, "decision.chosen");
    this.#setJson(decision, "alternatives", given.alternatives, "decision.alternatives");
    if (!Array.isArray(decision.alternatives)) decision.alternatives = [];
    this.#setJson(decision, "contextSnapshot", given.contextSnapshot, "decision.contextSnapshot");
    this.weight += RECORD_WEIGHT;
    this.trace.decisionPoints.push(decision);
    this.#limitMemory();
  }

  addEvent(name: string, options: EventOptions, spanId: string | undefined): void {
    if (this.isFinal) return;
    const event = {
      id: this.#nextId("e"),
      spanId,
      type: EVENT_TYPES.find((type) => type === options.type) ?? ("CUSTOM" as const),
      name: this.#name(name, "event.name"),
      timestamp: now(),
    };
    this.#setJson(event, "metadata", options.metadata, "event.metadata");
    this.weight += RECORD_WEIGHT;
    this.trace.events.push(event);
    this.#limitMemory();
  }

  /** Also ends the open spans, with `spanMessage` as their status message. */
  finish(status: "COMPLETED" | "ERROR", spanMessage = "still open when its trace ended"): void {
    if (this.isFinal) return;
    for (const span of [...this.#spanStartsMs.keys()]) this.endSpan(span, status, spanMessage);
    this.trace.status = status;
    this.trace.endedAt = now();
    this.updateTotals();
    this.isFinal = true;
    this.#hooks.onFinal(this);
  }

  /** Sums up the spans unless the user gave totals. An unknown cost is left out rather than 0. */
  updateTotals(): void {
    if (this.isFinal) return;
    const { trace } = this;
    trace.totalDuration = elapsedMs(this.#startedMs);
    const cost = this.#explicitTotals.totalCost ?? sum(trace.spans, "costUsd");
    const tokens = this.#explicitTotals.totalTokens ?? sum(trace.spans, "tokenCount");
    if (cost !== undefined) trace.totalCost = cost;
    if (tokens !== undefined) trace.totalTokens = tokens;
  }

  get ageMs(): number {
    return performance.now() - this.#startedMs;
  }

  #nextId(kind: string): string {
    this.#lastIdNumber++;
    return `${kind}${this.#lastIdNumber}`;
  }

  #name(given: unknown, path: string): string {
    return truncateUtf8(this.#text(given, path) || "unnamed", MAX_NAME_BYTES);
  }

  #message(span: SpanPayload, message: string): void {
    const text = this.#text(message, "span.statusMessage");
    if (text !== undefined) span.statusMessage = truncateUtf8(text, MAX_NAME_BYTES);
  }

  #text(given: unknown, path: string): string | undefined {
    const value = this.#toJson(given, path);
    if (value === undefined || value === null) return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
  }

  #setJson<Holder extends object, Field extends keyof Holder & string>(
    holder: Holder,
    field: Field | "metadata",
    given: unknown,
    path: string,
  ): void {
    const value = given === undefined ? undefined : this.#toJson(given, path);
    if (value !== undefined) Reflect.set(holder, field, value);
  }

  #mergeMetadata(holder: { metadata?: unknown }, given: unknown, path: string): void {
    if (given === undefined) return;
    const value = this.#toJson(given, path);
    if (value === undefined) return;
    holder.metadata = isObject(holder.metadata) && isObject(value) ? { ...holder.metadata, ...value } : value;
  }

  #toJson(given: unknown, path: string): unknown {
    try {
      const { value, weight } = toJson(given, path, this.#hooks.redact);
      this.weight += weight;
      return value;
    } catch (error) {
      if (!(error instanceof RedactError)) throw error;
      this.#hooks.onRedactError(error, this.trace.id);
      return undefined;
    }
  }

  #limitMemory(): void {
    if (this.weight > MAX_TRACE_WEIGHT) this.truncate(TRUNCATED_TRACE_BYTES);
  }

  truncate(maxBytes: number): void {
    fitTrace(this.trace, maxBytes);
    this.weight = byteLength(JSON.stringify(this.trace));
  }
}

const now = () => new Date().toISOString();
const elapsedMs = (startedMs: number) => Math.round((performance.now() - startedMs) * 1_000) / 1_000;
const isFiniteNumber = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Replaces or truncates what the server would refuse in an id. */
export const sanitizeId = (id: string): string =>
  truncateUtf8(id.toWellFormed().replaceAll("\0", "\uFFFD"), MAX_ID_BYTES);

function sum(spans: SpanPayload[], field: "costUsd" | "tokenCount"): number | undefined {
  let total: number | undefined;
  for (const span of spans) if (span[field] !== undefined) total = (total ?? 0) + span[field];
  return total;
}
