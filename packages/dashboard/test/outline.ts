import { absentFields, DECISION_POINT, SPAN, TRACE } from "@whytrace/contract";
import type { Outline, OutlineDecision, OutlineSpan } from "../src/trace/model/outline.ts";

/** Test times are given in seconds after this one. */
export const ZERO_MS = Date.parse("2026-01-02T03:04:05.000Z");
export const at = (seconds: number) => new Date(ZERO_MS + seconds * 1_000).toISOString();

export const outlineSpan = (
  id: string,
  [from, to]: [from: number, to: number | null],
  parentSpanId: string | null = null,
  more: Partial<OutlineSpan> = {},
): OutlineSpan => ({
  ...absentFields(SPAN),
  model: null,
  inputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  priceSource: null,
  id,
  parentSpanId,
  name: id,
  type: "CHAIN",
  status: to === null ? "RUNNING" : "COMPLETED",
  startedAt: at(from),
  endedAt: to === null ? null : at(to),
  ...more,
});

export const outlineDecision = (
  id: string,
  second: number,
  parentSpanId: string | null = null,
): OutlineDecision => ({
  ...absentFields(DECISION_POINT),
  id,
  type: "ROUTING",
  reasoning: `why ${id}`,
  chosen: id,
  alternatives: ["other"],
  parentSpanId,
  timestamp: at(second),
  inferred: false,
  alternativesKnown: true,
});

export const outline = (
  spans: OutlineSpan[],
  decisionPoints: OutlineDecision[] = [],
  more: Partial<Outline> = {},
): Outline => ({
  ...absentFields(TRACE),
  models: [],
  isCostDerived: false,
  id: "t",
  name: "run",
  status: "COMPLETED",
  tags: [],
  startedAt: at(0),
  createdAt: at(0),
  spans,
  decisionPoints,
  events: [],
  ...more,
});
