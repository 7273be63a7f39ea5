/** Above this mean, the normal distribution is near enough, and inverting would take long. */
const MAX_INVERTED_MEAN = 30;

/** Draws how many of `trials` succeed, in bounded time. */
export function drawBinomial(trials: number, probability: number, random: () => number): number {
  if (trials <= 0 || probability <= 0) return 0;
  if (probability >= 1) return trials;
  if (probability > 0.5) return trials - drawBinomial(trials, 1 - probability, random);
  const mean = trials * probability;
  if (mean > MAX_INVERTED_MEAN) {
    const deviation = Math.sqrt(mean * (1 - probability));
    return Math.min(trials, Math.max(0, Math.round(mean + deviation * drawNormal(random))));
  }
  let left = random();
  let share = (1 - probability) ** trials;
  let successes = 0;
  while (left > share && successes < trials) {
    left -= share;
    share *= ((trials - successes) * probability) / ((successes + 1) * (1 - probability));
    successes += 1;
  }
  return successes;
}

/** Box and Muller. */
const drawNormal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
