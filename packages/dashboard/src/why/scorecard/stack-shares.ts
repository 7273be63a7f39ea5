/** The upper edge of each option's area on one day, from 0 to 1, the first option at the bottom. */
export type StackedDay = readonly number[];

const WINDOW_DAYS = 3;

/**
 * Adds up the shares of the options of each day, as a mean of three days that is weighted by their decisions. A day without
 * any in its window repeats the day before.
 */
export function stackShares(days: readonly { counts: readonly number[] }[]): StackedDay[] {
  const options = days[0]?.counts.length ?? 0;
  let last: StackedDay | undefined;
  const stacked = days.map((_, index) => {
    const around = days.slice(Math.max(0, index - 1), index - 1 + WINDOW_DAYS);
    const sums = Array.from({ length: options }, (__, option) =>
      around.reduce((sum, { counts }) => sum + (counts[option] ?? 0), 0),
    );
    const total = sums.reduce((sum, count) => sum + count, 0);
    if (total === 0) return last;
    let top = 0;
    last = sums.map((count) => {
      top += count / total;
      return top;
    });
    return last;
  });
  // Days before the first decision look like the first day with decisions.
  const first = stacked.find((day) => day !== undefined) ?? Array.from({ length: options }, () => 0);
  return stacked.map((day) => day ?? first);
}
