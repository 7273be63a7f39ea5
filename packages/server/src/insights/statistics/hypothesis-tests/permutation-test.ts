import { seededRandom } from "./seeded-random.ts";

const MAX_DRAWS = 1_999;
/** Besag's and Clifford's rule: once this number of draws is as far apart, more draws would not change the result much. */
const ENOUGH_EXTREMES = 20;
const TOLERANCE = 1e-9;

/**
 * Whether two rows of counts may come from the same distribution: shuffles all decisions over both sides and counts how often
 * the sides are at least as far apart (chi-squared) as they are. It assumes nothing about the counts. The seed is made from
 * the counts, so the same counts give the same result. Never less than 1 / 2,000.
 */
export function permutationTest(base: readonly number[], current: readonly number[]): number {
  const totals = base.map((count, option) => count + (current[option] ?? 0));
  const size = base.reduce((sum, count) => sum + count, 0);
  const all = totals.reduce((sum, count) => sum + count, 0);
  const statistic = (counts: ArrayLike<number>) => {
    let sum = 0;
    for (const [option, total] of totals.entries())
      if (total > 0) sum += ((counts[option] ?? 0) - (total * size) / all) ** 2 / total;
    return sum;
  };
  const observed = statistic(base) - TOLERANCE;
  const labels = new Int32Array(all);
  let end = 0;
  for (const [option, total] of totals.entries()) {
    labels.fill(option, end, end + total);
    end += total;
  }
  // Drawing the smaller side is enough: the other one is what is left, and its distance is the same.
  const drawn = Math.min(size, all - size);
  const random = seededRandom(seedOf([...base, ...current]));
  const counts = new Int32Array(totals.length);
  let extremes = 0;
  for (let draw = 1; draw <= MAX_DRAWS; draw += 1) {
    counts.fill(0);
    for (let i = 0; i < drawn; i += 1) {
      const j = i + Math.floor(random() * (all - i));
      const label = labels[j] ?? 0;
      labels[j] = labels[i] ?? 0;
      labels[i] = label;
      counts[label] = (counts[label] ?? 0) + 1;
    }
    if (drawn !== size)
      for (const [option, total] of totals.entries()) counts[option] = total - (counts[option] ?? 0);
    if (statistic(counts) < observed) continue;
    extremes += 1;
    if (extremes === ENOUGH_EXTREMES) return extremes / draw;
  }
  return (extremes + 1) / (MAX_DRAWS + 1);
}

const seedOf = (counts: readonly number[]) =>
  counts.reduce((hash, count) => Math.imul(hash ^ count, 0x01000193) >>> 0, 0x811c9dc5);
