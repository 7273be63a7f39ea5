const STEP_FACTORS = [1, 2, 2.5, 5, 10];

interface AxisOptions {
  maxSteps?: number;
  isInteger?: boolean;
  /** Round steps of the unit, ascending. Without them, or beyond them, steps are round decimal numbers. */
  steps?: readonly number[] | undefined;
}

/** Round values from 0 to at least `max`, in at most `maxSteps` steps. */
export function axisTicks(
  max: number,
  { maxSteps = 4, isInteger = false, steps }: AxisOptions = {},
): number[] {
  if (!(max > 0)) return [0, steps?.[0] ?? 1];
  const rough = max / maxSteps;
  const step = steps?.find((candidate) => candidate >= rough) ?? decimalStep(rough, isInteger);
  return Array.from({ length: Math.ceil(max / step - 1e-9) + 1 }, (_, index) => index * step);
}

function decimalStep(rough: number, isInteger: boolean): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEP_FACTORS.find((factor) => factor * power >= rough) ?? 10) * power;
  return isInteger ? Math.max(1, Math.ceil(step)) : step;
}
