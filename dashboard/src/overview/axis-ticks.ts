const STEPS = [1, 2, 2.5, 5, 10];

/** Round values from 0 up to the first at or above the highest, few enough to be read. */
export function ticks(highest: number, most = 4, isWhole = false): number[] {
  if (!(highest > 0)) return [0, 1];
  const rough = highest / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(isWhole ? 1 : 0, (STEPS.find((one) => one * power >= rough) ?? 10) * power);
  const whole = isWhole ? Math.ceil(step) : step;
  return Array.from({ length: Math.ceil(highest / whole - 1e-9) + 1 }, (_, index) => index * whole);
}
