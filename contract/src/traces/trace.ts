export const STATUSES = ["RUNNING", "COMPLETED", "ERROR"] as const;
export const SPAN_TYPES = ["LLM_CALL", "TOOL_CALL", "MEMORY_OP", "CHAIN", "AGENT", "CUSTOM"] as const;
export const DECISION_POINT_TYPES = [
  "TOOL_SELECTION",
  "ROUTING",
  "RETRY",
  "ESCALATION",
  "MEMORY_RETRIEVAL",
  "PLANNING",
  "CUSTOM",
] as const;
export const EVENT_TYPES = [
  "ERROR",
  "RETRY",
  "FALLBACK",
  "CONTEXT_OVERFLOW",
  "USER_FEEDBACK",
  "CUSTOM",
] as const;

export type Status = (typeof STATUSES)[number];
export type SpanType = (typeof SPAN_TYPES)[number];
export type DecisionPointType = (typeof DECISION_POINT_TYPES)[number];
export type EventType = (typeof EVENT_TYPES)[number];

/*
 * A checked batch, as `parseBatch` returns it: what was absent is null, instants are milliseconds since 1970.
 * Payloads (metadata, input, output, chosen, alternatives, contextSnapshot) are passed on as they came.
 */
export interface ParsedTrace {
  id: string;
  name: string;
  sessionId: string | null;
  status: Status;
  tags: string[];
  metadata: unknown;
  totalCost: number | null;
  totalTokens: number | null;
  totalDuration: number | null;
  startedAt: number;
  endedAt: number | null;
  decisionPoints: ParsedDecisionPoint[];
  spans: ParsedSpan[];
  events: ParsedEvent[];
}

/** Inside a trace. */
interface ParsedChild {
  id: string;
  /** Its JSON as it was sent, where it came as bytes. */
  source?: { readonly bytes: Uint8Array } | undefined;
}

export interface ParsedSpan extends ParsedChild {
  parentSpanId: string | null;
  name: string;
  type: SpanType;
  input: unknown;
  output: unknown;
  tokenCount: number | null;
  costUsd: number | null;
  durationMs: number | null;
  status: Status;
  statusMessage: string | null;
  startedAt: number;
  endedAt: number | null;
  metadata: unknown;
}

export interface ParsedDecisionPoint extends ParsedChild {
  type: DecisionPointType;
  reasoning: string | null;
  chosen: unknown;
  alternatives: unknown;
  contextSnapshot: unknown;
  durationMs: number | null;
  costUsd: number | null;
  /** Null unless it is the id of a span of the same trace. */
  parentSpanId: string | null;
  timestamp: number;
}

export interface ParsedEvent extends ParsedChild {
  spanId: string | null;
  type: EventType;
  name: string;
  metadata: unknown;
  timestamp: number;
}
