import type { PricedTrace } from "./price-derived-trace.ts";
import type { Merge } from "./stored-pieces.ts";

/** The fields of a trace after a piece was merged. What was posted stays; what the post left out is derived. */
export function mergedTrace(
  {
    completions: _completions,
    loggedEvents: _loggedEvents,
    scores: _scores,
    spans: _spans,
    errorEvents: _errorEvents,
    ...derived
  }: PricedTrace,
  { piece, existing, stored }: Merge,
) {
  const { posted } = stored.state;
  if (!posted || !existing) return { ...derived, id: piece.id };
  return {
    ...derived,
    id: piece.id,
    name: existing.name,
    status: existing.status,
    startedAt: Date.parse(existing.startedAt),
    sessionId: posted.sessionId ?? derived.sessionId,
    totalCost: posted.totalCost ?? derived.totalCost,
    isCostDerived: posted.totalCost === null && derived.isCostDerived,
    totalTokens: posted.totalTokens ?? derived.totalTokens,
    totalDuration: posted.totalDuration ?? derived.totalDuration,
  };
}
