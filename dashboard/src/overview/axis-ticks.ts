const STEP_FACTORS = [1, 2, 2.5, 5, 10];

/** Round values from 0 to at least `max`, in at most `maxSteps` steps. */
export function axisTicks(max: number, maxSteps = 4, isInteger = false): number[] {
  if (!(max > 0)) return [0, 1];
  const rough = max / maxSteps;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    isInteger ? 1 : 0,
    (STEP_FACTORS.find((factor) => factor * power >= rough) ?? 10) * power,
  );
  const tickStep = isInteger ? Math.ceil(step) : step;
  return Array.from({ length: Math.ceil(max / tickStep - 1e-9) + 1 }, (_, index) => index * tickStep);
}
