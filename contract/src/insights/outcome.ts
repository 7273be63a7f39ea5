import { type DecidedTrace, endOf } from "./decided-trace.ts";
import { decisionScopes } from "./decision-scopes.ts";
import { ScopeSums } from "./scope-sums.ts";
import { NO_SPAN, SpanTree } from "./span-tree.ts";

/**
 * What a decision was followed by: 0 nothing bad; 1 an error, but the run did not fail (recovered); 2 no error, but the run
 * failed elsewhere; 3 an error, and the run failed; 4 open: the run has not ended.
 */
export const OUTCOMES = [0, 1, 2, 3, 4] as const;
export type Outcome = (typeof OUTCOMES)[number];
export const OPEN_OUTCOME = 4;

export interface Followed {
  outcome: Outcome;
  /** The cost of the decision, and of the scope's spans and decisions after it; null if none is known. */
  costUsd: number | null;
  /** Until the scope ended; null if that is not known. */
  durationMs: number | null;
}

/** Decisions that react to an error: an error of the same millisecond came before them. It came after all others. */
const REACTIONS: ReadonlySet<string> = new Set(["RETRY", "ESCALATION"]);

/** The order of what has the same millisecond. */
const RANK = { decision: 0, instant: 1, reaction: 2, lastingSpan: 3 };
const RANKS = 4;

/**
 * What followed each decision of a trace, by the decision's index. The *scope* of a decision is what its parent span
 * contains, without that span itself; if the parent span is a call of a model or memory, what the span around it contains;
 * without a parent span, the whole trace. An error followed if
 *   - in the scope, a span that failed began at or after the decision, or an ERROR event came after it, or
 *   - the scope ended in ERROR, and no error in it, before or after the decision, explains that.
 *
 * One time line is read backwards; errors and costs are counted by the span they are in. So the time it takes grows with
 * the trace as sorting does, not with the square.
 */
export function followedBy(trace: DecidedTrace, tree = new SpanTree(trace.spans)): Followed[] {
  const { spans, decisionPoints, events, status } = trace;
  if (decisionPoints.length === 0) return [];
  const { entries, firstEvent, firstDecision } = timeLine(trace);
  const sums = new ScopeSums(tree);
  const scopes = decisionScopes(decisionPoints, spans, tree);
  const hasErrorAfter = new Uint8Array(decisionPoints.length);
  const costAfterUsd = new Array<number | null>(decisionPoints.length).fill(null);
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at] ?? 0;
    const span = spans[entry];
    const event = events[entry - firstEvent];
    const decision = decisionPoints[entry - firstDecision];
    if (span) {
      if (span.status === "ERROR") sums.addFailedSpan(entry);
      if (span.costUsd !== null) sums.addSpanCost(entry, span.costUsd);
    } else if (event) sums.addErrorIn(tree.find(event.spanId));
    else if (decision) {
      const scope = scopes[entry - firstDecision] ?? NO_SPAN;
      if (decision.costUsd !== null) sums.addCostIn(scope, decision.costUsd);
      hasErrorAfter[entry - firstDecision] = sums.hasError(scope) ? 1 : 0;
      costAfterUsd[entry - firstDecision] = sums.costUsd(scope);
    }
  }
  const traceEnd = endOf({ ...trace, durationMs: trace.totalDuration });
  return decisionPoints.map((decision, index) => {
    const scope = scopes[index] ?? NO_SPAN;
    const span = scope === NO_SPAN ? undefined : spans[scope];
    const isScopeFailed = (span ?? trace).status === "ERROR";
    const hasError = hasErrorAfter[index] === 1 || (isScopeFailed && !sums.hasError(scope));
    const end = (span && endOf(span)) ?? traceEnd;
    return {
      outcome: status === "RUNNING" ? OPEN_OUTCOME : outcomeOf(hasError, status === "ERROR"),
      costUsd: costAfterUsd[index] ?? null,
      durationMs: end === null ? null : Math.max(0, end - decision.timestamp),
    };
  });
}

function outcomeOf(hasError: boolean, isRunFailed: boolean): Outcome {
  if (isRunFailed) return hasError ? 3 : 2;
  return hasError ? 1 : 0;
}

/**
 * Spans that failed or cost something, ERROR events and decisions, in the order of time. An entry is the index of a span, or
 * of an event or decision after all those before.
 */
function timeLine({ spans, decisionPoints, events }: DecidedTrace) {
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
    const rank = REACTIONS.has(type) ? RANK.reaction : RANK.decision;
    keys[firstDecision + index] = timestamp * RANKS + rank;
    entries.push(firstDecision + index);
  }
  entries.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
  return { entries, firstEvent, firstDecision };
}
