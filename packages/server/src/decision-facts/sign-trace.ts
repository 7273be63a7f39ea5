import { type DecisionSignature, maskText, SpanTree, signDecision } from "@whytrace/contract";
import type { DecidedTrace } from "./decided-trace.ts";
import { decisionScopes } from "./decision-scopes.ts";
import { ScopeRanges } from "./scope-ranges.ts";
import { SpanPaths } from "./span-paths.ts";
import { type TimeLine, timeLine } from "./time-line.ts";

/** A trace with what its decisions are counted as; lists of decisions are by their indexes. */
export interface SignedTrace {
  trace: DecidedTrace;
  tree: SpanTree;
  ranges: ScopeRanges;
  /**
   * The span whose content a decision has consequences in: its parent span; if that is a call of a model or memory, the span
   * around it; without a parent span, the whole trace (`NO_SPAN`).
   */
  scopes: readonly number[];
  signed: readonly DecisionSignature[];
  /** The same number for decisions of one answer of a model. */
  turns: readonly number[];
  line: TimeLine;
}

export function signTrace(trace: DecidedTrace): SignedTrace {
  const { spans, decisionPoints } = trace;
  const tree = new SpanTree(spans);
  const scopes = decisionScopes(decisionPoints, spans, tree);
  const paths = new SpanPaths(maskText(trace.name), spans, tree);
  return {
    trace,
    tree,
    ranges: new ScopeRanges(tree),
    scopes,
    signed: decisionPoints.map((point, index) => signDecision(point, paths.placeOf(point, scopes[index]))),
    turns: decisionPoints.map(({ parentSpanId }, index) => {
      const parent = tree.find(parentSpanId);
      return spans[parent]?.type === "LLM_CALL" ? parent : spans.length + index;
    }),
    line: timeLine(trace),
  };
}
