/** A failed run: what was chosen in each step, and the step that a person named as the mistake. */
interface LabelledFailure {
  chosen: readonly string[];
  mistake: number;
}

/** Later steps count as this one. */
const LAST_INDEX = 12;
/** Added to each count, so that what was seen once or twice says little. */
const PRIOR = 2;

/**
 * Ranks the steps of each failure by where people found the mistakes of all other failures: at which step, and at whose. Returns the rank
 * of the labelled step. Nothing else of a run is looked at, so this is what labels alone can do.
 */
export function rankByLearnedPosition(failures: readonly LabelledFailure[]): number[] {
  const counts = new Map<string, Count>();
  const add = ({ chosen, mistake }: LabelledFailure, weight: number) => {
    for (const [index, name] of chosen.entries())
      for (const feature of featuresOf(index, name)) {
        const count = counts.get(feature) ?? { mistakes: 0, steps: 0 };
        count.steps += weight / chosen.length;
        if (index === mistake) count.mistakes += weight;
        counts.set(feature, count);
      }
  };
  for (const failure of failures) add(failure, 1);
  return failures.map((failure) => {
    add(failure, -1);
    const scores = failure.chosen.map((name, index) =>
      featuresOf(index, name).reduce((sum, feature) => sum + logRatio(counts.get(feature)), 0),
    );
    add(failure, 1);
    const own = scores[failure.mistake] ?? Number.NEGATIVE_INFINITY;
    return (
      1 + scores.filter((score, index) => score > own || (score === own && index < failure.mistake)).length
    );
  });
}

interface Count {
  mistakes: number;
  /** Each run counts once, however many steps it has. */
  steps: number;
}

const featuresOf = (index: number, name: string) => [
  `step ${Math.min(index, LAST_INDEX)}`,
  `name ${name.replaceAll(/\d/g, "")}`,
];

const logRatio = (count: Count | undefined) =>
  Math.log(((count?.mistakes ?? 0) + PRIOR) / ((count?.steps ?? 0) + PRIOR));
