import type { LineDecision } from "./compare-decisions.ts";
import { hash53 } from "./hash53.ts";
import { type DecisionSignature, type SignedInput, signDecision } from "./sign-decision.ts";
import { NO_SPAN, SpanTree } from "./span-tree.ts";
import { type WalkedTrace, walkDecisions } from "./walk-decisions.ts";

/** A decision in the line of its run, with what it is compared by. */
export interface LinedDecision<T> extends LineDecision, DecisionSignature {
  point: T;
}

type Point = SignedInput & WalkedTrace["decisionPoints"][number];

/**
 * The decisions of a run in walking order. Spans that contain no decision make no difference. The caller can run other work
 * between steps.
 */
export function* decisionLine<T extends Point>(
  spans: WalkedTrace["spans"],
  decisionPoints: readonly T[],
): Generator<undefined, LinedDecision<T>[]> {
  const tree = new SpanTree(spans);
  yield;
  const paths = new SpanPaths(spans, tree);
  const line: LinedDecision<T>[] = [];
  for (const index of walkDecisions({ spans, decisionPoints }, tree)) {
    const point = decisionPoints[index];
    if (!point) continue;
    const path = paths.pathOf(tree.find(point.parentSpanId));
    line.push({ ...signDecision(point), type: point.type, path, point });
    yield;
  }
  return line;
}

/** Hashes of the names of a span and of all spans above it. */
class SpanPaths {
  readonly #spans: WalkedTrace["spans"];
  readonly #tree: SpanTree;
  readonly #paths = new Map([[NO_SPAN, 0]]);

  constructor(spans: WalkedTrace["spans"], tree: SpanTree) {
    this.#spans = spans;
    this.#tree = tree;
  }

  pathOf(span: number): number {
    const unknown: number[] = [];
    let above = span;
    while (!this.#paths.has(above)) {
      unknown.push(above);
      above = this.#tree.parent[above] ?? NO_SPAN;
    }
    let path = this.#paths.get(above) ?? 0;
    for (const index of unknown.reverse()) {
      path = hash53(`${path}\n${this.#spans[index]?.name}`);
      this.#paths.set(index, path);
    }
    return path;
  }
}
