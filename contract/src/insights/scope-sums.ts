import { FenwickTree } from "./fenwick-tree.ts";
import { NO_SPAN, type SpanTree } from "./span-tree.ts";

/** Costs are added as integers, so that a sum does not depend on the order: millionths of a millionth of a dollar. */
const UNITS_PER_USD = 1e12;
/** Limits what a mistaken cost does: sums stay finite. */
const MAX_COST_USD = 1e9;

/**
 * Counts errors and costs by the span they are in. A *scope* is what a span contains, without that span itself, or the whole
 * trace (`NO_SPAN`).
 *
 * Each span has two places, one for itself and one for what belongs to it directly, numbered from above. So a scope is a
 * range: from the span's second place to its last descendant's.
 */
export class ScopeSums {
  readonly #tree: SpanTree;
  readonly #placeCount: number;
  readonly #errors: FenwickTree;
  readonly #costs: FenwickTree;
  readonly #costCounts: FenwickTree;

  constructor(tree: SpanTree) {
    this.#tree = tree;
    this.#placeCount = 2 * tree.parent.length + 2;
    this.#errors = new FenwickTree(this.#placeCount);
    this.#costs = new FenwickTree(this.#placeCount);
    this.#costCounts = new FenwickTree(this.#placeCount);
  }

  addFailedSpan(span: number) {
    this.#errors.add(this.#insideOf(span) - 1, 1);
  }

  addErrorIn(scope: number) {
    this.#errors.add(this.#insideOf(scope), 1);
  }

  addSpanCost(span: number, costUsd: number) {
    this.#addCost(this.#insideOf(span) - 1, costUsd);
  }

  addCostIn(scope: number, costUsd: number) {
    this.#addCost(this.#insideOf(scope), costUsd);
  }

  hasError(scope: number): boolean {
    return this.#errors.sum(this.#insideOf(scope), this.#endOf(scope)) > 0;
  }

  /** Null if no cost was added. */
  costUsd(scope: number): number | null {
    const start = this.#insideOf(scope);
    const end = this.#endOf(scope);
    return this.#costCounts.sum(start, end) > 0 ? this.#costs.sum(start, end) / UNITS_PER_USD : null;
  }

  #addCost(place: number, costUsd: number) {
    const limited = Math.min(Math.max(costUsd, -MAX_COST_USD), MAX_COST_USD);
    this.#costs.add(place, Math.round(limited * UNITS_PER_USD));
    this.#costCounts.add(place, 1);
  }

  #insideOf(scope: number): number {
    return scope === NO_SPAN ? 0 : 2 * (this.#tree.enter[scope] ?? 0) + 2;
  }

  #endOf(scope: number): number {
    return scope === NO_SPAN ? this.#placeCount : 2 * (this.#tree.exit[scope] ?? 0) + 1;
  }
}
