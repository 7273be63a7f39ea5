import type { DriftCounts } from "./drift-counts.ts";

/**
 * Rao's and Scott's first-order design effect of the shares of options, from both sides together: by how many times the
 * chi-squared statistic is too large because a run that decides several times tends to choose alike. At least 1.
 */
export function raoScottEffect(sides: readonly DriftCounts[]): number {
  const options = sides[0]?.options.length ?? 0;
  const total = (pick: (option: DriftCounts["options"][number]) => number, index?: number) =>
    sides.reduce(
      (sum, side) =>
        sum +
        side.options.reduce(
          (part, option, i) => (index === undefined || index === i ? part + pick(option) : part),
          0,
        ),
      0,
    );
  const runs = sides.reduce((sum, side) => sum + side.runs, 0);
  const decisions = total(({ chosen }) => chosen);
  const decisionSquares = total(({ products }) => products);
  // Every run decided once: nothing goes together.
  if (runs < 2 || decisionSquares <= decisions) return 1;
  let sum = 0;
  let present = 0;
  for (let i = 0; i < options; i += 1) {
    const share = total(({ chosen }) => chosen, i) / decisions;
    if (share === 0) continue;
    present += 1;
    const squares =
      total((option) => option.squares, i) -
      2 * share * total((option) => option.products, i) +
      share * share * decisionSquares;
    // (1 − share) times the effect of this option, whose plain variance is share · (1 − share) / decisions.
    sum += ((runs / (runs - 1)) * squares) / (share * decisions);
  }
  return present < 2 ? 1 : Math.max(1, sum / (present - 1));
}
