import { logGamma } from "./log-gamma.ts";

const PRECISION = 1e-14;
const TINY = 1e-300;
const MAX_STEPS = 10_000;

/** The regularized incomplete beta function of a > 0 and b > 0 at x, 0 to 1: the share of the beta distribution below x. */
export function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The continued fraction converges fast below the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  const logFactor = a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b);
  return Math.min(1, (Math.exp(logFactor) / a) * betaFraction(a, b, x));
}

/** Evaluated by Lentz's method. */
function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let i = 1; i < MAX_STEPS; i += 1) {
    const even = (i * (b - i) * x) / ((a + 2 * i - 1) * (a + 2 * i));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    result *= d * c;
    const odd = (-(a + i) * (a + b + i) * x) / ((a + 2 * i) * (a + 2 * i + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < PRECISION) break;
  }
  return result;
}

const nonZero = (value: number) => (Math.abs(value) < TINY ? TINY : value);
