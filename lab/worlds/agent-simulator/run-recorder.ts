import type { DecisionPointType, SpanType } from "@whytrace/contract";
import type { Random } from "@whytrace/demo";

/* A run as it is simulated; instants are milliseconds since it started. */
export interface SimulatedSpan {
  id: string;
  parentSpanId: string | null;
  name: string;
  type: SpanType;
  status: "COMPLETED" | "ERROR";
  statusMessage: string | null;
  costUsd: number | null;
  durationMs: number | null;
  startedAt: number;
  endedAt: number;
}
export interface SimulatedDecision {
  id: string;
  type: DecisionPointType;
  chosen: string;
  alternatives: string[];
  contextSnapshot: Record<string, string>;
  costUsd: number | null;
  parentSpanId: string | null;
  timestamp: number;
}
export interface SimulatedEvent {
  id: string;
  spanId: string;
  type: "ERROR";
  name: string;
  timestamp: number;
}

/** Records what a simulated run does; its clock can be set back, for branches that run at the same time. */
export class RunRecorder {
  readonly spans: SimulatedSpan[] = [];
  readonly decisions: SimulatedDecision[] = [];
  readonly events: SimulatedEvent[] = [];
  readonly #random: Random;
  nowMs = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  openSpan(type: SpanType, name: string, parent: SimulatedSpan | null): SimulatedSpan {
    const span: SimulatedSpan = {
      id: `span-${this.spans.length}`,
      parentSpanId: parent?.id ?? null,
      name,
      type,
      status: "COMPLETED",
      statusMessage: null,
      costUsd: null,
      durationMs: null,
      startedAt: this.nowMs,
      endedAt: this.nowMs,
    };
    this.spans.push(span);
    this.nowMs += this.#random.between(1, 4);
    return span;
  }

  closeSpan(span: SimulatedSpan) {
    span.endedAt = this.nowMs;
    span.durationMs = span.endedAt - span.startedAt;
    this.nowMs += 1;
  }

  /** A step of work without child spans; it fails if a message is given. */
  step(name: string, parent: SimulatedSpan, error: string | null): SimulatedSpan {
    const span = this.openSpan("TOOL_CALL", name, parent);
    this.nowMs += this.#random.between(5, 60);
    if (error !== null) {
      span.status = "ERROR";
      span.statusMessage = error;
    }
    this.closeSpan(span);
    if (error !== null && this.#random.chance(0.5))
      this.events.push({
        id: `event-${this.events.length}`,
        spanId: span.id,
        type: "ERROR",
        name: "exception",
        timestamp: span.endedAt,
      });
    return span;
  }

  decide(
    type: DecisionPointType,
    options: readonly string[],
    chosen: string,
    parent: SimulatedSpan,
    contextSnapshot: Record<string, string> = {},
  ): SimulatedDecision {
    const decision: SimulatedDecision = {
      id: `decision-${this.decisions.length}`,
      type,
      chosen,
      alternatives: options.filter((option) => option !== chosen),
      contextSnapshot,
      costUsd: null,
      parentSpanId: parent.id,
      timestamp: this.nowMs,
    };
    this.decisions.push(decision);
    this.nowMs += 2;
    return decision;
  }
}
