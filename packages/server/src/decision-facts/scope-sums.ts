import { FenwickTree } from "./fenwick-tree.ts";
import type { ScopeRanges } from "./scope-ranges.ts";

/** Costs are added as integers, so that a sum does not depend on the order: millionths of a millionth of a dollar. */
const UNITS_PER_USD = 1e12;
/** Limits what a mistaken cost does: sums stay finite. */
const MAX_COST_USD = 1e9;

/** Costs that were added up. */
export interface CostSum {
  units: number;
  count: number;
}

export const NO_COST: CostSum = { units: 0, count: 0 };

/** What was added since, null if no cost was. */
export const costUsdSince = ({ units, count }: CostSum, before: CostSum): number | null =>
  count === before.count ? null : (units - before.units) / UNITS_PER_USD;

/** Counts errors and costs by the span they are in. */
export class ScopeSums {
  readonly #ranges: ScopeRanges;
  readonly #errors: FenwickTree;
  readonly #costs: FenwickTree;
  readonly #costCounts: FenwickTree;

  constructor(ranges: ScopeRanges) {
    this.#ranges = ranges;
    this.#errors = new FenwickTree(ranges.size);
    this.#costs = new FenwickTree(ranges.size);
    this.#costCounts = new FenwickTree(ranges.size);
  }

  addFailedSpan(span: number) {
    this.#errors.add(this.#ranges.itself(span), 1);
  }

  addErrorIn(scope: number) {
    this.#errors.add(this.#ranges.start(scope), 1);
  }

  addSpanCost(span: number, costUsd: number) {
    this.#addCost(this.#ranges.itself(span), costUsd);
  }

  addCostIn(scope: number, costUsd: number) {
    this.#addCost(this.#ranges.start(scope), costUsd);
  }

  hasError(scope: number): boolean {
    return this.#errors.sum(this.#ranges.start(scope), this.#ranges.end(scope)) > 0;
  }

  cost(scope: number): CostSum {
    const start = this.#ranges.start(scope);
    const end = this.#ranges.end(scope);
    return { units: this.#costs.sum(start, end), count: this.#costCounts.sum(start, end) };
  }

  #addCost(number: number, costUsd: number) {
    const limited = Math.min(Math.max(costUsd, -MAX_COST_USD), MAX_COST_USD);
    this.#costs.add(number, Math.round(limited * UNITS_PER_USD));
    this.#costCounts.add(number, 1);
  }
}
