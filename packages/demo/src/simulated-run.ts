import {
  absentFields,
  DECISION_POINT,
  type DecisionPointType,
  EVENT,
  type EventType,
  type Json,
  optionName,
  SPAN,
  type SpanType,
  type Status,
  TRACE,
} from "@whytrace/contract";
import { type Call, chat } from "./chat.ts";
import type { DemoTrace } from "./demo-trace.ts";
import type { Random } from "./random.ts";

interface Decision {
  chosen: Json;
  alternatives: Json[];
  reasoning: string;
  context?: Json;
}

interface Step {
  input?: Json;
  output?: Json;
  /** Median of the duration. */
  ms: number;
  /** Set if the step fails. */
  error?: string;
  costUsd?: number;
}

/** A simulated run of an agent: each step advances the clock and adds to the trace. */
export class SimulatedRun {
  readonly random: Random;
  /** Factor by which every duration is multiplied. */
  readonly #slowdown: number;
  readonly #startMs: number;
  readonly #spans: DemoTrace["spans"] = [];
  readonly #decisionPoints: DemoTrace["decisionPoints"] = [];
  readonly #events: DemoTrace["events"] = [];
  readonly #open: DemoTrace["spans"] = [];
  #nowMs: number;
  #error: string | undefined;

  constructor(random: Random, startMs: number, slowdown = 1) {
    this.random = random;
    this.#startMs = startMs;
    this.#nowMs = startMs;
    this.#slowdown = slowdown;
  }

  /** A span with child spans. Its output is what `body` returns. */
  within(type: SpanType, name: string, input: Json, body: () => Json): void {
    const span = this.#startSpan(type, name, input);
    this.#open.push(span);
    this.wait(this.random.between(3, 25));
    span.output = body() ?? null;
    this.wait(this.random.between(2, 15));
    this.#open.pop();
    this.#endSpan(span);
    if (this.#open.length === 0 && this.#error !== undefined) {
      span.status = "ERROR";
      span.statusMessage = this.#error;
      span.output = null;
    }
  }

  /** A span without child spans: a tool call, a memory operation, a small piece of code. */
  step(type: SpanType, name: string, { input, output, ms, error, costUsd }: Step): void {
    const span = this.#startSpan(type, name, input);
    this.wait(this.random.logNormal(ms, 0.35));
    span.costUsd = costUsd ?? null;
    if (error === undefined) span.output = output ?? null;
    else {
      span.status = "ERROR";
      span.statusMessage = error;
    }
    this.#endSpan(span);
  }

  llm(name: string, call: Call): void {
    const { input, output, metadata, tokenCount, costUsd, durationMs } = chat(this.random, call);
    const span = this.#startSpan("LLM_CALL", name, input);
    this.wait(this.random.logNormal(durationMs, 0.2));
    Object.assign(span, { output, metadata, tokenCount, costUsd: roundUsd(costUsd) });
    this.#endSpan(span);
  }

  /** A decision among fixed options: those that were not chosen are its alternatives. */
  decideAmong(
    type: DecisionPointType,
    options: readonly string[],
    decision: Omit<Decision, "alternatives">,
  ): void {
    const name = optionName(decision.chosen);
    this.decide(type, { ...decision, alternatives: options.filter((option) => option !== name) });
  }

  decide(type: DecisionPointType, { chosen, alternatives, reasoning, context }: Decision): void {
    const durationMs = Math.round(this.random.logNormal(90, 0.5));
    this.#decisionPoints.push({
      ...absentFields(DECISION_POINT),
      id: `dp_${this.random.hex(12)}`,
      type,
      reasoning,
      chosen,
      alternatives,
      contextSnapshot: context ?? null,
      durationMs,
      costUsd: this.random.chance(0.15) ? null : roundUsd(this.random.logNormal(0.0005, 0.7)),
      parentSpanId: this.#open.at(-1)?.id ?? null,
      timestamp: this.#instant(),
    });
    this.wait(durationMs);
  }

  event(type: EventType, name: string, metadata: Json = null): void {
    this.#events.push({
      ...absentFields(EVENT),
      id: `ev_${this.random.hex(12)}`,
      spanId: this.#spans.at(-1)?.id ?? null,
      type,
      name,
      metadata,
      timestamp: this.#instant(),
    });
  }

  /** Makes the run end with this error. */
  fail(error: string): void {
    this.#error = error;
  }

  get isFailed(): boolean {
    return this.#error !== undefined;
  }

  wait(ms: number): void {
    this.#nowMs += Math.max(1, Math.round(ms * this.#slowdown));
  }

  finish(given: Pick<DemoTrace, "id" | "name" | "sessionId" | "tags" | "metadata">): DemoTrace {
    const status: Status = this.#error === undefined ? "COMPLETED" : "ERROR";
    return {
      ...absentFields(TRACE),
      ...given,
      status,
      ...totalsOf(this.#spans),
      totalDuration: this.#nowMs - this.#startMs,
      startedAt: new Date(this.#startMs).toISOString(),
      endedAt: this.#instant(),
      spans: this.#spans,
      decisionPoints: this.#decisionPoints,
      events: this.#events,
    };
  }

  #startSpan(type: SpanType, name: string, input: Json) {
    const span: DemoTrace["spans"][number] = {
      ...absentFields(SPAN),
      id: `sp_${this.random.hex(16)}`,
      parentSpanId: this.#open.at(-1)?.id ?? null,
      name,
      type,
      input: input ?? null,
      status: "COMPLETED",
      startedAt: this.#instant(),
    };
    this.#spans.push(span);
    return span;
  }

  #endSpan(span: DemoTrace["spans"][number]): void {
    span.endedAt = this.#instant();
    span.durationMs = this.#nowMs - Date.parse(span.startedAt);
  }

  #instant(): string {
    return new Date(this.#nowMs).toISOString();
  }
}

const roundUsd = (usd: number) => Math.round(usd * 1e6) / 1e6;

/** Only the spans that caused them have cost and tokens, so the sum counts nothing twice. */
export function totalsOf(spans: DemoTrace["spans"]): Pick<DemoTrace, "totalCost" | "totalTokens"> {
  const sum = (amounts: (number | null)[]) => amounts.reduce<number>((total, one) => total + (one ?? 0), 0);
  return {
    totalCost: roundUsd(sum(spans.map((span) => span.costUsd))),
    totalTokens: sum(spans.map((span) => span.tokenCount)),
  };
}
