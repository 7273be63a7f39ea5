import { NO_SPAN, type SpanTree } from "@whytrace/contract";
import type { DecidedPoint, DecidedSpan } from "./decided-trace.ts";

/**
 * Spans that make a decision and end: what follows the decision is not in them. A model's answer names a tool, which then
 * runs beside the call of the model.
 */
const OPERATIONS: ReadonlySet<string | undefined> = new Set(["LLM_CALL", "MEMORY_OP"]);

const UNKNOWN = -2;

/**
 * The index of the span in which the consequences of each decision are: its parent span, or if that is an operation, the
 * span around it. `NO_SPAN` is the whole trace. Each span is visited once, however many decisions are in it.
 */
export function decisionScopes(
  decisions: readonly Pick<DecidedPoint, "parentSpanId">[],
  spans: readonly Pick<DecidedSpan, "type">[],
  tree: SpanTree,
): number[] {
  const known = new Int32Array(spans.length).fill(UNKNOWN);
  return decisions.map(({ parentSpanId }) => {
    const parent = tree.find(parentSpanId);
    let scope = parent;
    while (scope !== NO_SPAN && known[scope] === UNKNOWN && OPERATIONS.has(spans[scope]?.type))
      scope = tree.parent[scope] ?? NO_SPAN;
    if (scope !== NO_SPAN && known[scope] !== UNKNOWN) scope = known[scope] ?? NO_SPAN;
    for (
      let span = parent;
      span !== NO_SPAN && known[span] === UNKNOWN;
      span = tree.parent[span] ?? NO_SPAN
    ) {
      known[span] = scope;
      if (span === scope) break;
    }
    return scope;
  });
}
