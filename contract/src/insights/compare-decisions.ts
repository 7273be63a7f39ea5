import { alignSteps, type StepPair } from "./align-steps.ts";
import type { LineRelation } from "./comparison.ts";

/** What decides whether two decisions are the same. */
export interface LineDecision {
  signature: number;
  step: number;
  type: string;
  /** Identifies the names of the spans above it. */
  path: number;
}

export interface DecisionLine<T> {
  relation: LineRelation;
  a: T | null;
  b: T | null;
}

/** Between two equal steps only decisions of the same place are aligned; that needs fewer edits. */
const MAX_GAP_COST = 200;

/**
 * Puts the decisions of two runs, each in walking order, side by side. Equal steps come first. Between them, decisions
 * with the same path and the same options are a flipped choice; those with the same path and type have other options.
 */
export function compareDecisions<T extends LineDecision>(
  a: readonly T[],
  b: readonly T[],
): DecisionLine<T>[] {
  const steps = alignSteps(
    a.map(({ step }) => step),
    b.map(({ step }) => step),
  );
  return betweenPairs(a, b, steps, (gapA, gapB) => {
    const flips = alignBy(gapA, gapB, ({ path, signature }) => `${path} ${signature}`);
    return betweenPairs(gapA, gapB, flips, (restA, restB) =>
      betweenPairs(
        restA,
        restB,
        alignBy(restA, restB, ({ path, type }) => `${path} ${type}`),
        onlyOneSide,
      ),
    );
  });
}

/** Lines for the pairs, and for what is between them. */
function betweenPairs<T extends LineDecision>(
  a: readonly T[],
  b: readonly T[],
  pairs: StepPair[],
  compareGap: (a: readonly T[], b: readonly T[]) => DecisionLine<T>[],
): DecisionLine<T>[] {
  const lines: DecisionLine<T>[] = [];
  const addGap = (gapA: readonly T[], gapB: readonly T[]) => {
    const isGap = gapA.length > 0 && gapB.length > 0;
    for (const line of isGap ? compareGap(gapA, gapB) : onlyOneSide(gapA, gapB)) lines.push(line);
  };
  let [aNext, bNext] = [0, 0];
  for (const [aIndex, bIndex] of pairs) {
    addGap(a.slice(aNext, aIndex), b.slice(bNext, bIndex));
    const [one, other] = [a[aIndex], b[bIndex]];
    if (one && other) lines.push({ relation: relate(one, other), a: one, b: other });
    [aNext, bNext] = [aIndex + 1, bIndex + 1];
  }
  addGap(a.slice(aNext), b.slice(bNext));
  return lines;
}

const onlyOneSide = <T>(a: readonly T[], b: readonly T[]): DecisionLine<T>[] => [
  ...a.map((decision): DecisionLine<T> => ({ relation: "a", a: decision, b: null })),
  ...b.map((decision): DecisionLine<T> => ({ relation: "b", a: null, b: decision })),
];

function relate(a: LineDecision, b: LineDecision): LineRelation {
  if (a.step === b.step) return "same";
  return a.signature === b.signature ? "flipped" : "changed";
}

/** Aligns decisions with equal keys. */
function alignBy<T>(a: readonly T[], b: readonly T[], keyOf: (decision: T) => string): StepPair[] {
  const numbers = new Map<string, number>();
  const numberOf = (decision: T) => {
    const key = keyOf(decision);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  return alignSteps(a.map(numberOf), b.map(numberOf), MAX_GAP_COST);
}
