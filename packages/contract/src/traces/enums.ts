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
