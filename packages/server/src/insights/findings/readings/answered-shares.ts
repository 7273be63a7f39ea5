import type { ObservedRuns } from "../runs/observe-runs.ts";

/** The share of an option's decisions whose run was judged, and that of other options in the same place. */
export interface AnsweredShare {
  share: number;
  otherShare: number;
}

/** By option. `isAnswered` says it of a run by its index. */
export function answeredShares(
  { runs, options }: Pick<ObservedRuns, "runs" | "options">,
  isAnswered: readonly boolean[],
): AnsweredShare[] {
  const counts = options.map(() => ({ all: 0, answered: 0 }));
  const places = new Map<number, { all: number; answered: number }>();
  for (const [index, { turns }] of runs.entries())
    for (const option of turns.flat()) {
      const place = options[option]?.signature ?? 0;
      const total = places.get(place) ?? { all: 0, answered: 0 };
      places.set(place, total);
      for (const count of [counts[option], total]) {
        if (!count) continue;
        count.all += 1;
        if (isAnswered[index]) count.answered += 1;
      }
    }
  return options.map(({ signature }, option) => {
    const own = counts[option] ?? { all: 0, answered: 0 };
    const total = places.get(signature) ?? own;
    return {
      share: own.answered / Math.max(1, own.all),
      otherShare: (total.answered - own.answered) / Math.max(1, total.all - own.all),
    };
  });
}
