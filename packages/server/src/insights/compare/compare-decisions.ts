import type { LineRelation } from "@whytrace/contract";
import { alignInSteps, type StepPair } from "./align-steps.ts";

/** What decides whether two decisions are the same. */
export interface LineDecision {
  signature: number;
  step: number;
  type: string;
  /** Identifies the names of the spans above it. */
  path: string;
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
 * with the same path and the same options are a flipped choice; those with the same path and type have other options. The
 * caller can run other work between steps.
 */
export function* compareDecisions<T extends LineDecision>(
  a: readonly T[],
  b: readonly T[],
): Generator<undefined, DecisionLine<T>[]> {
  const steps = yield* alignInSteps(
    a.map(({ step }) => step),
    b.map(({ step }) => step),
  );
  return yield* betweenPairs(a, b, steps, compareGap);
}

type CompareGap<T> = (a: readonly T[], b: readonly T[]) => Generator<undefined, DecisionLine<T>[]>;

function* compareGap<T extends LineDecision>(
  a: readonly T[],
  b: readonly T[],
): Generator<undefined, DecisionLine<T>[]> {
  const flips = yield* alignBy(a, b, ({ path, signature }) => `${path} ${signature}`);
  return yield* betweenPairs(a, b, flips, compareRest);
}

function* compareRest<T extends LineDecision>(
  a: readonly T[],
  b: readonly T[],
): Generator<undefined, DecisionLine<T>[]> {
  const sameType = yield* alignBy(a, b, ({ path, type }) => `${path} ${type}`);
  return yield* betweenPairs(a, b, sameType);
}

/** Lines for the pairs, and for what is between them. */
function* betweenPairs<T extends LineDecision>(
  a: readonly T[],
  b: readonly T[],
  pairs: StepPair[],
  compare?: CompareGap<T>,
): Generator<undefined, DecisionLine<T>[]> {
  const lines: DecisionLine<T>[] = [];
  let [aNext, bNext] = [0, 0];
  for (const [aIndex, bIndex] of [...pairs, [a.length, b.length] as const]) {
    const [gapA, gapB] = [a.slice(aNext, aIndex), b.slice(bNext, bIndex)];
    const isGap = gapA.length > 0 && gapB.length > 0;
    for (const line of isGap && compare ? yield* compare(gapA, gapB) : onlyOneSide(gapA, gapB))
      lines.push(line);
    const [one, other] = [a[aIndex], b[bIndex]];
    if (one && other) lines.push({ relation: relate(one, other), a: one, b: other });
    [aNext, bNext] = [aIndex + 1, bIndex + 1];
  }
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
function alignBy<T>(
  a: readonly T[],
  b: readonly T[],
  keyOf: (decision: T) => string,
): Generator<undefined, StepPair[]> {
  const numbers = new Map<string, number>();
  const numberOf = (decision: T) => {
    const key = keyOf(decision);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  return alignInSteps(a.map(numberOf), b.map(numberOf), MAX_GAP_COST);
}
