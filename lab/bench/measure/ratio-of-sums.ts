import { percentile } from "@whytrace/testing/percentile.ts";
import { seededRandom } from "../../../packages/server/src/insights/statistics/hypothesis-tests/seeded-random.ts";

const SAMPLES = 2_000;

/**
 * How many times as much one of two variants used in all rounds together, with the interval that contains it in 95 of 100 cases: the bootstrap
 * draws rounds with both variants, as often as there are rounds. A round that was disturbed weighs no more than what it used.
 */
export function ratioOfSums(
  used: readonly number[],
  base: readonly number[],
): { ratio: number; low: number; high: number } {
  const random = seededRandom(1);
  const rounds = used.map((_, round) => round);
  const ratioOf = (drawn: readonly number[]) =>
    drawn.reduce((sum, round) => sum + (used[round] ?? 0), 0) /
    drawn.reduce((sum, round) => sum + (base[round] ?? 0), 0);
  const drawn = Array.from({ length: SAMPLES }, () =>
    ratioOf(rounds.map(() => Math.floor(random() * rounds.length))),
  );
  return { ratio: ratioOf(rounds), low: percentile(drawn, 0.025), high: percentile(drawn, 0.975) };
}
