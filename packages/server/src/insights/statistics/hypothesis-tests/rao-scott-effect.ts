import type { DriftCounts } from "../drift-counts.ts";
import { effectiveSessions } from "./effective-sessions.ts";

export interface RaoScottEffect {
  /** By how many times the chi-squared statistic is too large. At least 1. */
  effect: number;
  /** Of the effect, which is an estimate. */
  degreesOfFreedom: number;
}

/** Every session decided once: nothing goes together. */
export const NO_EFFECT: RaoScottEffect = { effect: 1, degreesOfFreedom: Number.POSITIVE_INFINITY };

/**
 * Rao's and Scott's first-order design effect of the shares of options: a run or session that decides several times tends to
 * choose alike. Each side has its own, because one may have long sessions and the other none; the smaller side counts more, as it
 * does in the difference of shares. The degrees of freedom are Satterthwaite's.
 */
export function raoScottEffect(sides: readonly DriftCounts[]): RaoScottEffect {
  const sizes = sides.map((side) => total(side, "chosen"));
  const decisions = sum(sizes);
  const pooled = (sides[0]?.options ?? []).map(
    (_, index) => sum(sides.map(({ options }) => options[index]?.chosen ?? 0)) / decisions,
  );
  if (sides.every((side, index) => total(side, "products") <= (sizes[index] ?? 0))) return NO_EFFECT;
  const weights = sizes.map((size) => 1 / size / sum(sizes.map((other) => 1 / other)));
  let effect = 0;
  let variance = 0;
  for (const [index, side] of sides.entries()) {
    const sessions = effectiveSessions(sizes[index] ?? 0, total(side, "products"));
    const part = (weights[index] ?? 0) * effectOfSide(side, pooled, sessions);
    effect += part;
    variance += part ** 2 / Math.max(0, sessions - 1);
  }
  return { effect, degreesOfFreedom: effect ** 2 / variance };
}

function effectOfSide(side: DriftCounts, pooled: readonly number[], sessions: number): number {
  const decisions = total(side, "chosen");
  const decisionSquares = total(side, "products");
  if (decisionSquares <= decisions) return 1;
  let spread = 0;
  let present = 0;
  for (const [index, { squares, products }] of side.options.entries()) {
    const share = pooled[index] ?? 0;
    if (share === 0) continue;
    present += 1;
    // (1 − share) times the effect of this option, whose plain variance is share · (1 − share) / decisions.
    spread += (squares - 2 * share * products + share * share * decisionSquares) / (share * decisions);
  }
  if (present < 2) return 1;
  return Math.max(1, ((sessions / Math.max(0, sessions - 1)) * spread) / (present - 1));
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

const total = ({ options }: DriftCounts, count: "chosen" | "products") =>
  sum(options.map((option) => option[count]));
