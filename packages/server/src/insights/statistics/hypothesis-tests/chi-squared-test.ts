import { fTail } from "./f-tail.ts";
import { NO_EFFECT, type RaoScottEffect } from "./rao-scott-effect.ts";

const MIN_EXPECTED = 5;

/**
 * Pearson's chi-squared test of two rows of counts, which are divided by a design effect. Options that are then expected fewer
 * than 5 times on either side are pooled. If the design effect is an estimate, the test is Rao's and Scott's F.
 */
export function chiSquaredTest(
  base: readonly number[],
  current: readonly number[],
  { effect, degreesOfFreedom }: RaoScottEffect = NO_EFFECT,
): number {
  const size = base.reduce((sum, count) => sum + count, 0);
  const currentSize = current.reduce((sum, count) => sum + count, 0);
  const all = size + currentSize;
  const columns = poolRare(
    base.map((count, option) => [count, current[option] ?? 0]),
    Math.min(size, currentSize) / all / effect,
  );
  if (columns.length < 2) return 1;
  let statistic = 0;
  for (const [one, other] of columns) {
    const expected = ((one + other) * size) / all;
    statistic += (one - expected) ** 2 * (1 / expected + 1 / (one + other - expected));
  }
  const changes = columns.length - 1;
  return fTail(statistic / effect / changes, changes, changes * degreesOfFreedom);
}

type Column = [base: number, current: number];

/** What is still rare after pooling joins the rarest of the others. */
function poolRare(columns: Column[], expectedShare: number): Column[] {
  const isRare = ([one, other]: Column) => (one + other) * expectedShare < MIN_EXPECTED;
  const common = columns.filter((column) => !isRare(column)).sort(([a, b], [c, d]) => a + b - c - d);
  const rare = columns.filter(isRare).reduce<Column>(add, [0, 0]);
  if (rare[0] + rare[1] === 0) return common;
  const [rarest, ...others] = common;
  if (!isRare(rare) || rarest === undefined) return [rare, ...common];
  return [add(rarest, rare), ...others];
}

const add = ([a, b]: Column, [c, d]: Column): Column => [a + c, b + d];
