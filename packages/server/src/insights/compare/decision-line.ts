import {
  type DecisionSignature,
  maskText,
  type SignedInput,
  SpanTree,
  signDecision,
} from "@whytrace/contract";
import type { DecidedSpan } from "../../decision-facts/decided-trace.ts";
import { decisionScopes } from "../../decision-facts/decision-scopes.ts";
import { SpanPaths } from "../../decision-facts/span-paths.ts";
import { type WalkedTrace, walkDecisions } from "../../decision-facts/walk-decisions.ts";
import type { LineDecision } from "./compare-decisions.ts";

/** A decision in the line of its run, with what it is compared by. */
export interface LinedDecision<T> extends LineDecision, DecisionSignature {
  point: T;
}

type Point = SignedInput & WalkedTrace["decisionPoints"][number];
type Span = WalkedTrace["spans"][number] & Pick<DecidedSpan, "type">;

/**
 * The decisions of a run in walking order. Spans that contain no decision make no difference. The caller can run other work
 * between steps.
 */
export function* decisionLine<T extends Point>(
  traceName: string,
  spans: readonly Span[],
  decisionPoints: readonly T[],
): Generator<undefined, LinedDecision<T>[]> {
  const tree = new SpanTree(spans);
  yield;
  const paths = new SpanPaths(maskText(traceName), spans, tree);
  const scopes = decisionScopes(decisionPoints, spans, tree);
  const line: LinedDecision<T>[] = [];
  for (const index of walkDecisions({ spans, decisionPoints }, tree)) {
    const point = decisionPoints[index];
    if (!point) continue;
    const path = paths.pathOf(tree.find(point.parentSpanId));
    const place = paths.placeOf(point, scopes[index]);
    line.push({ ...signDecision(point, place), type: point.type, path, point });
    yield;
  }
  return line;
}
