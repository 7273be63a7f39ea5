import {
  DECISION_POINT_TYPES,
  EVENT_TYPES,
  ID_MAX_BYTES,
  NAME_MAX_BYTES,
  SPAN_TYPES,
  TAGS_MAX,
} from "@whytrace/contract";
import { byteLength, cutBytes } from "./byte-length.ts";
import { fitTrace } from "./fit-trace.ts";
import type { DecisionPayload, SpanPayload, TracePayload } from "./payload.ts";
import { type Redact, RedactFailure, toJson } from "./to-json.ts";
import type {
  DecisionDetails,
  EventOptions,
  SpanFields,
  SpanOptions,
  TraceFields,
  TraceOptions,
  WaitUntil,
} from "./types.ts";

/** A record without its payloads and names. */
const RECORD_WEIGHT = 256;
/** A trace that grows past this in memory is cut to what can be sent. */
const MEMORY_MAX_WEIGHT = 16 * 1_024 * 1_024;
const MEMORY_CUT_BYTES = 8 * 1_024 * 1_024;

export interface RecordingHooks {
  redact: Redact | undefined;
  onRedactFailure(failure: RedactFailure, traceId: string): void;
  onFinal(recording: Recording): void;
}

/**
 * One trace as it happens. The payload is always sendable: every value in it was made JSON when it was recorded, and
 * what the server would refuse (an unknown type, an endless name) was put right. Once final, it does not change.
 */
export class Recording {
  readonly trace: TracePayload;
  readonly waitUntil: WaitUntil | undefined;
  weight = RECORD_WEIGHT;
  isFinal = false;
  readonly #hooks: RecordingHooks;
  readonly #startedMs = performance.now();
  readonly #spanStartsMs = new Map<SpanPayload, number>();
  #lastNumber = 0;
  #givenTotals: { totalCost?: number; totalTokens?: number } = {};

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
      if (sessionId) trace.sessionId = idText(sessionId);
    }
    if (fields.tags !== undefined)
      trace.tags = [...fields.tags]
        .slice(0, TAGS_MAX)
        .flatMap((tag, index) => this.#text(tag, `trace.tags.${index}`) ?? [])
        .map((tag) => cutBytes(tag, ID_MAX_BYTES));
    this.#mergeMetadata(trace, fields.metadata, "trace.metadata");
    for (const total of ["totalCost", "totalTokens"] as const)
      if (isAmount(fields[total])) this.#givenTotals[total] = fields[total];
  }

  startSpan(name: string, options: SpanOptions, parentSpanId: string | undefined): SpanPayload {
    const span: SpanPayload = {
      id: this.#nextId("s"),
      ...(parentSpanId !== undefined && { parentSpanId }),
      name: this.#name(name, "span.name"),
      type: SPAN_TYPES.find((type) => type === options.type) ?? "CUSTOM",
      status: "RUNNING",
      startedAt: now(),
    };
    if (this.isFinal) return span;
    this.#keep(span, "input", options.input, "span.input");
    this.#mergeMetadata(span, options.metadata, "span.metadata");
    this.weight += RECORD_WEIGHT;
    this.trace.spans.push(span);
    this.#spanStartsMs.set(span, performance.now());
    this.#boundMemory();
    return span;
  }

  setSpan(span: SpanPayload, fields: SpanFields): void {
    if (!this.#spanStartsMs.has(span)) return;
    if (fields.name !== undefined) span.name = this.#name(fields.name, "span.name");
    this.#keep(span, "input", fields.input, "span.input");
    this.#keep(span, "output", fields.output, "span.output");
    if (isAmount(fields.tokenCount)) span.tokenCount = fields.tokenCount;
    if (isAmount(fields.costUsd)) span.costUsd = fields.costUsd;
    if (fields.statusMessage !== undefined) this.#message(span, fields.statusMessage);
    this.#mergeMetadata(span, fields.metadata, "span.metadata");
    this.#boundMemory();
  }

  endSpan(span: SpanPayload, status: "COMPLETED" | "ERROR", message?: string): void {
    const startedMs = this.#spanStartsMs.get(span);
    if (startedMs === undefined) return;
    this.#spanStartsMs.delete(span);
    span.status = status;
    if (message !== undefined) this.#message(span, message);
    span.endedAt = now();
    span.durationMs = sinceMs(startedMs);
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
      ...(parentSpanId !== undefined && { parentSpanId }),
      ...(isAmount(given.durationMs) && { durationMs: given.durationMs }),
      ...(isAmount(given.costUsd) && { costUsd: given.costUsd }),
      timestamp: now(),
    };
    const reasoning =
      given.reasoning === undefined ? undefined : this.#text(given.reasoning, "decision.reasoning");
    if (reasoning !== undefined) decision.reasoning = reasoning;
    this.#keep(decision, "chosen", given.chosen, "decision.chosen");
    this.#keep(decision, "alternatives", given.alternatives, "decision.alternatives");
    if (!Array.isArray(decision.alternatives)) decision.alternatives = [];
    this.#keep(decision, "contextSnapshot", given.contextSnapshot, "decision.contextSnapshot");
    this.weight += RECORD_WEIGHT;
    this.trace.decisionPoints.push(decision);
    this.#boundMemory();
  }

  addEvent(name: string, options: EventOptions, spanId: string | undefined): void {
    if (this.isFinal) return;
    const event = {
      id: this.#nextId("e"),
      ...(spanId !== undefined && { spanId }),
      type: EVENT_TYPES.find((type) => type === options.type) ?? ("CUSTOM" as const),
      name: this.#name(name, "event.name"),
      timestamp: now(),
    };
    this.#keep(event, "metadata", options.metadata, "event.metadata");
    this.weight += RECORD_WEIGHT;
    this.trace.events.push(event);
    this.#boundMemory();
  }

  /** Spans still open end with their trace, and say so. */
  finish(status: "COMPLETED" | "ERROR", spanMessage = "still open when its trace ended"): void {
    if (this.isFinal) return;
    for (const span of [...this.#spanStartsMs.keys()]) this.endSpan(span, status, spanMessage);
    this.trace.status = status;
    this.trace.endedAt = now();
    this.refreshTotals();
    this.isFinal = true;
    this.#hooks.onFinal(this);
  }

  /** Filled from the spans, so that lists can sort; a cost nobody knows is left out, not 0. */
  refreshTotals(): void {
    if (this.isFinal) return;
    const { trace } = this;
    trace.totalDuration = sinceMs(this.#startedMs);
    const cost = this.#givenTotals.totalCost ?? sum(trace.spans, "costUsd");
    const tokens = this.#givenTotals.totalTokens ?? sum(trace.spans, "tokenCount");
    if (cost !== undefined) trace.totalCost = cost;
    if (tokens !== undefined) trace.totalTokens = tokens;
  }

  get ageMs(): number {
    return performance.now() - this.#startedMs;
  }

  #nextId(kind: string): string {
    this.#lastNumber++;
    return `${kind}${this.#lastNumber}`;
  }

  #name(given: unknown, path: string): string {
    return cutBytes(this.#text(given, path) || "unnamed", NAME_MAX_BYTES);
  }

  #message(span: SpanPayload, message: string): void {
    const text = this.#text(message, "span.statusMessage");
    if (text !== undefined) span.statusMessage = cutBytes(text, NAME_MAX_BYTES);
  }

  #text(given: unknown, path: string): string | undefined {
    const value = this.#captured(given, path);
    if (value === undefined || value === null) return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
  }

  #keep<Holder extends object, Field extends keyof Holder & string>(
    holder: Holder,
    field: Field | "metadata",
    given: unknown,
    path: string,
  ): void {
    const value = given === undefined ? undefined : this.#captured(given, path);
    if (value !== undefined) Reflect.set(holder, field, value);
  }

  #mergeMetadata(holder: { metadata?: unknown }, given: unknown, path: string): void {
    if (given === undefined) return;
    const value = this.#captured(given, path);
    if (value === undefined) return;
    holder.metadata = isObject(holder.metadata) && isObject(value) ? { ...holder.metadata, ...value } : value;
  }

  #captured(given: unknown, path: string): unknown {
    try {
      const { value, weight } = toJson(given, path, this.#hooks.redact);
      this.weight += weight;
      return value;
    } catch (error) {
      if (!(error instanceof RedactFailure)) throw error;
      this.#hooks.onRedactFailure(error, this.trace.id);
      return undefined;
    }
  }

  #boundMemory(): void {
    if (this.weight > MEMORY_MAX_WEIGHT) this.cut(MEMORY_CUT_BYTES);
  }

  cut(maxBytes: number): void {
    fitTrace(this.trace, maxBytes);
    this.weight = byteLength(JSON.stringify(this.trace));
  }
}

const now = () => new Date().toISOString();
const sinceMs = (startedMs: number) => Math.round((performance.now() - startedMs) * 1_000) / 1_000;
const isAmount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An id is kept to the letter by the server or refused: what it would refuse is put right here. */
export const idText = (id: string): string =>
  cutBytes(id.toWellFormed().replaceAll("\0", "\uFFFD"), ID_MAX_BYTES);

function sum(spans: SpanPayload[], field: "costUsd" | "tokenCount"): number | undefined {
  let total: number | undefined;
  for (const span of spans) if (span[field] !== undefined) total = (total ?? 0) + span[field];
  return total;
}
