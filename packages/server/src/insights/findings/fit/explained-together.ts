import type { ClaimKind } from "../list/option-test.ts";
import type { Fit } from "./fit-causes.ts";

interface Named {
  kind: ClaimKind;
  option: number;
}

interface ExplainedTogether {
  /** Bad runs that the named options explain. What two of them explain as a pair counts once. */
  explained: number;
  /** The pairs of named choices that explain bad runs only together: both carry them. */
  pairs: readonly (readonly [option: number, other: number])[];
}

/** A smaller sum is rounding, or doubt. */
const MIN_SHARED = 0.5;

export function explainedTogether({ model, sums }: Fit, named: readonly Named[]): ExplainedTogether {
  const optionsOf = (kind: ClaimKind) =>
    new Set(named.filter((one) => one.kind === kind).map(({ option }) => option));
  const [chosen, leftOut] = [optionsOf("chose"), optionsOf("left out")];
  const { cells } = model;
  const pairs: (readonly [number, number])[] = [];
  let explained = 0;
  for (const [cell, sum] of sums.entries()) {
    if (sum === 0) continue;
    const option = cells.optionOf(cell);
    const isChoice = cells.kindOf(cell) === "chose";
    const call = isChoice && cells.isPair(cell) ? cells.callOf(cell) : undefined;
    const isNamed = (isChoice ? chosen : leftOut).has(option);
    const isCallNamed = call !== undefined && chosen.has(call);
    if (isNamed || isCallNamed) explained += sum;
    if (isNamed && isCallNamed && sum >= MIN_SHARED) pairs.push([option, call]);
  }
  return { explained, pairs };
}
