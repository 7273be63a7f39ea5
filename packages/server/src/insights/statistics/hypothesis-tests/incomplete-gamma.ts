import { logGamma } from "./log-gamma.ts";

const PRECISION = 1e-15;
const TINY = 1e-300;

/**
 * The regularized incomplete gamma functions of a > 0 and x > 0; they add up to 1. Each is computed directly where it is the
 * small one, so that tails far below the precision of 1 are right.
 */
export function incompleteGamma(a: number, x: number): { lower: number; upper: number } {
  const factor = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    const lower = Math.min(1, factor * lowerSeries(a, x));
    return { lower, upper: 1 - lower };
  }
  const upper = Math.min(1, factor * upperFraction(a, x));
  return { lower: 1 - upper, upper };
}

function lowerSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let i = 1; term > sum * PRECISION; i += 1) {
    term *= x / (a + i);
    sum += term;
  }
  return sum;
}

/** Legendre's continued fraction, evaluated by Lentz's method. */
function upperFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let result = d;
  for (let i = 1; ; i += 1) {
    const numerator = -i * (i - a);
    b += 2;
    d = 1 / nonZero(numerator * d + b);
    c = nonZero(b + numerator / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < PRECISION || i > 1_000) return result;
  }
}

const nonZero = (value: number) => (Math.abs(value) < TINY ? TINY : value);
