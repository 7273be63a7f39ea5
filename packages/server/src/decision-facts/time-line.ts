import { type DecidedTrace, endOf } from "./decided-trace.ts";
import { isReactionType } from "./reaction.ts";

/** The order of what has the same millisecond. */
const RANK = { decision: 0, instant: 1, reaction: 2, lastingSpan: 3 };
const RANKS = 4;

export interface TimeLine {
  entries: readonly number[];
  firstEvent: number;
  firstDecision: number;
}

/**
 * Spans that failed or cost something, ERROR events and decisions, in the order of time. An entry is the index of a span, or
 * of an event or decision after all those before.
 */
export function timeLine({ spans, decisionPoints, events }: DecidedTrace): TimeLine {
  const firstEvent = spans.length;
  const firstDecision = firstEvent + events.length;
  const keys = new Float64Array(firstDecision + decisionPoints.length);
  const entries: number[] = [];
  for (const [index, span] of spans.entries()) {
    if (span.status !== "ERROR" && span.costUsd === null) continue;
    const rank = endOf(span) === span.startedAt ? RANK.instant : RANK.lastingSpan;
    keys[index] = span.startedAt * RANKS + rank;
    entries.push(index);
  }
  for (const [index, { type, timestamp }] of events.entries()) {
    if (type !== "ERROR") continue;
    keys[firstEvent + index] = timestamp * RANKS + RANK.instant;
    entries.push(firstEvent + index);
  }
  for (const [index, { type, timestamp }] of decisionPoints.entries()) {
    const rank = isReactionType(type) ? RANK.reaction : RANK.decision;
    keys[firstDecision + index] = timestamp * RANKS + rank;
    entries.push(firstDecision + index);
  }
  entries.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
  return { entries, firstEvent, firstDecision };
}
