import { describe, expect, it } from "vitest";
import type { DecisionFacts } from "../decision-facts/decision-facts.ts";
import type { Outcome } from "../decision-facts/outcome.ts";
import { judgeFacts } from "./judge-facts.ts";
import { encodeMarks, type Marks } from "./marks.ts";

const facts = (...outcomes: Outcome[]): DecisionFacts => ({
  release: 0,
  cluster: 0,
  messageKind: 0,
  fingerprints: [],
  decisions: outcomes.map((outcome, position) => ({
    signature: 1,
    step: 1,
    type: "ROUTING",
    outcome,
    position,
    costUsd: null,
    durationMs: null,
    isSameTurn: false,
    isReaction: false,
    isOffered: true,
    errorKind: 0,
    drawn: 0,
  })),
});
const [GOOD, BAD, UNKNOWN, OPEN] = [0, 1, 2, 3];
type Places = Pick<Marks, "isRun" | "marked" | "leftOut">;
const judged = (happened: DecisionFacts, outcome: number, marks: Places | null = null) =>
  judgeFacts(happened, {
    outcome,
    marks: marks && encodeMarks({ ...marks, fingerprints: [], scoredAt: null }),
  }).decisions.map((one) => one.outcome);
const none = new Set<number>();

describe("what is counted of a run", () => {
  it("is what its facts say if it is judged by its status alone", () => {
    for (const [happened, outcome] of [
      [facts(0, 1, 0), GOOD],
      [facts(2, 3), BAD],
      [facts(4, 4), OPEN],
    ] as const)
      expect(judgeFacts(happened, { outcome, marks: null })).toBe(happened);
  });

  it("is failed after its marks, and failed elsewhere else, if a run is bad that ended well", () => {
    expect(judged(facts(0, 1, 0), BAD, { isRun: false, marked: new Set([2]), leftOut: none })).toEqual([
      2, 3, 3,
    ]);
    expect(judged(facts(0, 0), BAD, { isRun: true, marked: none, leftOut: none })).toEqual([3, 3]);
  });

  it("is recovered after errors if a run ended in ERROR and is good", () => {
    expect(judged(facts(2, 3), GOOD)).toEqual([0, 1]);
  });

  it("is unknown if the run is, or if a decision is left out", () => {
    expect(judged(facts(0, 1), UNKNOWN)).toEqual([5, 5]);
    expect(judged(facts(0, 0), BAD, { isRun: false, marked: new Set([0]), leftOut: new Set([1]) })).toEqual([
      3, 5,
    ]);
  });

  it("has the fingerprints of its reasons before those of its errors, 16 at most", () => {
    const happened = { ...facts(0), fingerprints: Array.from({ length: 16 }, (_, index) => index + 1) };
    const marks = encodeMarks({
      isRun: true,
      marked: none,
      leftOut: none,
      fingerprints: [900, 3],
      scoredAt: null,
    });
    expect(judgeFacts(happened, { outcome: BAD, marks }).fingerprints).toEqual([
      900, 3, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    ]);
  });
});
