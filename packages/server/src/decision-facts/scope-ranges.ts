import { NO_SPAN, type SpanTree } from "@whytrace/contract";

/**
 * Numbers the spans of a trace so that a *scope*, what a span contains without that span itself, is a range of numbers. Each
 * span has two, one for itself and one for what belongs to it directly, counted from above: its scope is from the second one to
 * that of its last descendant. `NO_SPAN` is the whole trace.
 */
export class ScopeRanges {
  /** By index of a span: the first number inside it, and the one after the last. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  /** How many numbers there are. */
  readonly size: number;
  /** All spans, each followed by those inside it. */
  readonly topDown: Int32Array;

  constructor(tree: SpanTree) {
    const count = tree.parent.length;
    this.size = 2 * count + 2;
    this.#starts = new Int32Array(count);
    this.#ends = new Int32Array(count);
    this.topDown = tree.topDown();
    for (let number = count - 1; number >= 0; number--) {
      const span = this.topDown[number] ?? 0;
      const parent = tree.parent[span] ?? NO_SPAN;
      this.#starts[span] = 2 * number + 2;
      // Its last child, which comes before it here, has set it.
      const end = this.#ends[span] || 2 * number + 3;
      this.#ends[span] = end;
      if (parent !== NO_SPAN) this.#ends[parent] ||= end;
    }
  }

  /** The number of the span itself, which is in the scope around it. */
  itself(span: number): number {
    return this.start(span) - 1;
  }

  start(scope: number): number {
    return scope === NO_SPAN ? 0 : (this.#starts[scope] ?? 0);
  }

  /** Exclusive. */
  end(scope: number): number {
    return scope === NO_SPAN ? this.size : (this.#ends[scope] ?? 0);
  }

  /** Whether the inner scope is the outer one or in it. */
  contains(outer: number, inner: number): boolean {
    return this.start(outer) <= this.start(inner) && this.end(inner) <= this.end(outer);
  }
}
