import { NO_SPAN } from "@whytrace/contract";
import { endOf } from "./decided-trace.ts";
import { type CostSum, costUsdSince, NO_COST, ScopeSums } from "./scope-sums.ts";
import type { SignedTrace } from "./sign-trace.ts";

/**
 * What a decision was followed by: 0 nothing bad; 1 an error, but the run did not fail (recovered); 2 no error, but the run
 * failed elsewhere; 3 an error, and the run failed; 4 open: the run has not ended; 5 unknown: how the run is judged does not say. Facts never say unknown.
 */
export const OUTCOMES = [0, 1, 2, 3, 4, 5] as const;
export type Outcome = (typeof OUTCOMES)[number];
export const OPEN_OUTCOME = 4;
export const UNKNOWN_OUTCOME = 5;

export interface Followed {
  outcome: Outcome;
  /**
   * The cost of the decision, and of the scope's spans and decisions after it until the next turn in the same place; null if
   * none is known.
   */
  costUsd: number | null;
  /** Until the scope ended; null if that is not known. */
  durationMs: number | null;
}

/**
 * What followed each decision of a trace, by the decision's index. An error followed if
 *   - in the scope, a span that failed began at or after the decision, or an ERROR event came after it, or
 *   - the scope ended in ERROR, and no error in it, before or after the decision, explains that.
 *
 * One time line is read backwards; errors and costs are counted by the span they are in. So the time it takes grows with
 * the trace as sorting does, not with the square.
 */
export function followedBy({ trace, tree, ranges, scopes, signed, turns, line }: SignedTrace): Followed[] {
  const { spans, decisionPoints, events, status } = trace;
  const { entries, firstEvent, firstDecision } = line;
  const sums = new ScopeSums(ranges);
  const hasErrorAfter = new Uint8Array(decisionPoints.length);
  const costsUsd = new Array<number | null>(decisionPoints.length).fill(null);
  const nextTurns = new NextTurns();
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at] ?? 0;
    const span = spans[entry];
    const event = events[entry - firstEvent];
    const index = entry - firstDecision;
    const decision = decisionPoints[index];
    if (span) {
      if (span.status === "ERROR") sums.addFailedSpan(entry);
      if (span.costUsd !== null) sums.addSpanCost(entry, span.costUsd);
    } else if (event) sums.addErrorIn(tree.find(event.spanId));
    else if (decision) {
      const scope = scopes[index] ?? NO_SPAN;
      if (decision.costUsd !== null) sums.addCostIn(scope, decision.costUsd);
      hasErrorAfter[index] = sums.hasError(scope) ? 1 : 0;
      const after = sums.cost(scope);
      const place = { scope, signature: signed[index]?.signature ?? 0 };
      costsUsd[index] = costUsdSince(after, nextTurns.costAfter(place, turns[index] ?? 0, after));
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
      costUsd: costsUsd[index] ?? null,
      durationMs: end === null ? null : Math.max(0, end - decision.timestamp),
    };
  });
}

/** What the turns cost that were read already, later ones first. */
class NextTurns {
  readonly #read = new Map<string, { turn: number; after: CostSum; next: CostSum }>();

  /** The cost after the beginning of the next turn in the same place. `after` is that after the decision. */
  costAfter(place: { scope: number; signature: number }, turn: number, after: CostSum): CostSum {
    const key = `${place.scope} ${place.signature}`;
    const read = this.#read.get(key);
    const next = read?.turn === turn ? read.next : (read?.after ?? NO_COST);
    this.#read.set(key, { turn, after, next });
    return next;
  }
}

function outcomeOf(hasError: boolean, isRunFailed: boolean): Outcome {
  if (isRunFailed) return hasError ? 3 : 2;
  return hasError ? 1 : 0;
}
