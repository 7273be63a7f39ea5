import { logGamma } from "./log-gamma.ts";

const PRECISION = 1e-15;
const TINY = 1e-300;

/** The probability that a chi-squared variable is at least x: the upper regularized incomplete gamma function. */
export function chiSquaredTail(x: number, degreesOfFreedom: number): number {
  if (x <= 0) return 1;
  const a = degreesOfFreedom / 2;
  const y = x / 2;
  const factor = Math.exp(a * Math.log(y) - y - logGamma(a));
  return y < a + 1 ? Math.max(0, 1 - factor * lowerSeries(a, y)) : factor * upperFraction(a, y);
}

function lowerSeries(a: number, y: number): number {
  let term = 1 / a;
  let sum = term;
  for (let i = 1; term > sum * PRECISION; i += 1) {
    term *= y / (a + i);
    sum += term;
  }
  return sum;
}

/** Legendre's continued fraction, evaluated by Lentz's method. */
function upperFraction(a: number, y: number): number {
  let b = y + 1 - a;
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
