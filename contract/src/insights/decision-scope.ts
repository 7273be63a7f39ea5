import type { DecidedPoint, DecidedSpan } from "./decided-trace.ts";
import { NO_SPAN, type SpanTree } from "./span-tree.ts";

/**
 * Spans that make a decision and end: what follows the decision is not in them. A model's answer names a tool, which then
 * runs beside the call of the model.
 */
const OPERATIONS: ReadonlySet<string | undefined> = new Set(["LLM_CALL", "MEMORY_OP"]);

/**
 * The index of the span in which the consequences of a decision are: its parent span, or if that is an operation, the span
 * around it. `NO_SPAN` is the whole trace.
 */
export function decisionScope(
  { parentSpanId }: Pick<DecidedPoint, "parentSpanId">,
  spans: readonly DecidedSpan[],
  tree: SpanTree,
): number {
  let scope = tree.find(parentSpanId);
  while (scope !== NO_SPAN && OPERATIONS.has(spans[scope]?.type)) scope = tree.parent[scope] ?? NO_SPAN;
  return scope;
}
