import type { DecisionPointType, EventType, SpanType, Status } from "@whytrace/contract";

/* The JSON that the SDK sends. Unknown values are left out. */

export interface TracePayload {
  id: string;
  name: string;
  sessionId?: string;
  status: Status;
  tags: string[];
  metadata?: unknown;
  totalCost?: number;
  totalTokens?: number;
  totalDuration?: number;
  startedAt: string;
  endedAt?: string;
  sampleProbability?: number;
  spans: SpanPayload[];
  decisionPoints: DecisionPayload[];
  events: EventPayload[];
}

export interface SpanPayload {
  id: string;
  parentSpanId?: string | undefined;
  name: string;
  type: SpanType;
  input?: unknown;
  output?: unknown;
  tokenCount?: number;
  costUsd?: number;
  durationMs?: number;
  status: Status;
  statusMessage?: string;
  startedAt: string;
  endedAt?: string;
  metadata?: unknown;
}

export interface DecisionPayload {
  id: string;
  type: DecisionPointType;
  reasoning?: string;
  chosen: unknown;
  alternatives: unknown[];
  contextSnapshot?: unknown;
  durationMs?: number;
  costUsd?: number;
  parentSpanId?: string | undefined;
  timestamp: string;
  probability?: number;
}

export interface EventPayload {
  id: string;
  spanId?: string | undefined;
  type: EventType;
  name: string;
  metadata?: unknown;
  timestamp: string;
}
