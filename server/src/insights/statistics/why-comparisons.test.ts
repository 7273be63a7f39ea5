import { DecisionSimulator } from "@whytrace/testing/simulated-decisions.ts";
import { describe, expect, it } from "vitest";
import { whyComparisons } from "./why-comparisons.ts";
import type { WhyOption, WhySignature } from "./why-input.ts";

/** Decisions in runs of their own. The costs spread evenly between half and one and a half of their mean. */
function option(step: number, failed: number, decisions: number, meanUsd?: number): WhyOption {
  const squares = (meanUsd ?? 0) ** 2 * (1 + 1 / 12) * decisions;
  return {
    step,
    sums: {
      runs: decisions,
      decisions,
      failed,
      decisionSquares: decisions,
      products: failed,
      failedSquares: failed,
    },
    cost:
      meanUsd === undefined
        ? { decisions: 0, usd: 0, usdSquares: 0 }
        : { decisions, usd: meanUsd * decisions, usdSquares: squares },
  };
}

type Stratum = [step: number, failed: number, decisions: number][];

const signature = (id: number, options: WhyOption[], strata: Stratum[] = []): WhySignature => {
  const countsOf = (step: number, index: 1 | 2) =>
    Float64Array.from(strata, (stratum) => stratum.find(([own]) => own === step)?.[index] ?? 0);
  const byStep = options.map(
    ({ step }) => [step, { failed: countsOf(step, 1), decisions: countsOf(step, 2) }] as const,
  );
  return { signature: id, isAside: false, options, strata: new Map(byStep) };
};

const stratum = (...options: Stratum): Stratum => options;

describe("a row", () => {
  it("pairs the option with the most failures with the alternative whose rate is surely low", () => {
    // 1 of 25 is less than 13 of 148, but may be 20 %.
    const options = [option(1, 123, 286), option(2, 13, 148), option(3, 1, 25)];
    const { rows, comparisons } = whyComparisons([signature(7, options)]);
    expect(comparisons).toBe(3);
    expect(rows).toMatchObject([{ signature: 7, group: "worse", comparison: { worst: 1, best: 2 } }]);
    const { failures, lift, q } = rows[0]?.comparison ?? {};
    expect(failures?.value).toBeCloseTo(123 - (286 * 13) / 148, 8);
    expect(failures?.low).toBeGreaterThan(70);
    expect(failures?.high).toBeLessThan(122);
    expect(lift?.low).toBeGreaterThan(3);
    expect(q).toBeLessThan(1e-6);
  });

  it("counts failures above like with like, in situations where both options were chosen 20 times", () => {
    // Hard cases fail twice as often after option 1, easy ones as often as after option 2.
    const strata = [stratum([1, 80, 200], [2, 10, 50]), stratum([1, 5, 50], [2, 20, 200])];
    const { rows } = whyComparisons([signature(7, [option(1, 85, 250), option(2, 30, 250)], strata)]);
    expect(rows[0]?.comparison?.failures.value).toBeCloseTo(40, 8);
  });

  it("counts over all decisions where no situation has enough of both", () => {
    const strata = [stratum([1, 40, 100]), stratum([2, 10, 100])];
    const { rows } = whyComparisons([signature(7, [option(1, 40, 100), option(2, 10, 100)], strata)]);
    expect(rows[0]?.comparison?.failures.value).toBeCloseTo(30, 8);
    expect(rows[0]?.comparison).toMatchObject({ stratifiedLift: null, isConfounded: false });
  });

  it("names an option that looks bad only because it is chosen in hard cases, and accuses the other one", () => {
    // Option 1 halves failures in either situation; together it fails 17 of 100 times, option 2 only 16.
    const strata = [stratum([1, 320, 1_600], [2, 160, 400]), stratum([1, 20, 400], [2, 160, 1_600])];
    const options = [option(1, 340, 2_000), option(2, 320, 2_000)];
    const { rows } = whyComparisons([signature(7, options, strata)]);
    expect(rows).toMatchObject([{ group: "worse", comparison: { worst: 2, best: 1, isConfounded: true } }]);
    expect(rows[0]?.comparison?.lift.value).toBeLessThan(1);
    expect(rows[0]?.comparison?.stratifiedLift?.value).toBeCloseTo(2, 1);
  });

  it("does not accuse an option whose failures are all in a few runs", () => {
    const options = [option(1, 60, 200), option(2, 20, 200)];
    const accused = whyComparisons([signature(7, options)]);
    expect(accused.rows[0]?.group).toBe("worse");
    const repeated = options.map((one) => ({
      ...one,
      sums: {
        ...one.sums,
        runs: 10,
        decisionSquares: 4_000,
        products: 20 * one.sums.failed,
        failedSquares: 20 * one.sums.failed,
      },
    }));
    expect(whyComparisons([signature(7, repeated)]).rows[0]?.group).toBe("unclear");
  });

  it("is worse by cost if failures are alike, but not if the expensive option fails less", () => {
    const alike = signature(1, [option(1, 5, 500, 0.02), option(2, 5, 500, 0.01)]);
    const tradeOff = signature(2, [option(1, 5, 500, 0.02), option(2, 80, 500, 0.01)]);
    const { rows } = whyComparisons([alike, tradeOff]);
    expect(rows).toMatchObject([
      { signature: 2, group: "worse", comparison: { worst: 2, best: 1 } },
      { signature: 1, group: "worse", comparison: { worst: 1, best: 2 } },
    ]);
    expect(rows[0]?.comparison?.costUsd?.high).toBeLessThan(0);
    expect(rows[1]?.comparison?.costUsd?.value).toBeCloseTo(5, 8);
  });
});

describe("the list", () => {
  it("has groups in order, and in each the largest regret first", () => {
    const aside = { ...signature(1, [option(1, 90, 100), option(2, 1, 100)]), isAside: true };
    const { rows, comparisons } = whyComparisons([
      aside,
      signature(2, [option(1, 5, 500), option(2, 3, 19)]),
      signature(3, [option(1, 10, 100), option(2, 9, 100)]),
      signature(4, [option(1, 30, 100, 0.02), option(2, 30, 100, 0.001)]),
      signature(5, [option(1, 50, 100), option(2, 5, 100)]),
      signature(6, [option(1, 500, 1_000), option(2, 50, 1_000)]),
      signature(7, [option(1, 15, 100), option(2, 9, 100)]),
    ]);
    expect(rows.map((row) => [row.signature, row.group])).toEqual([
      [6, "worse"],
      [5, "worse"],
      [4, "worse"],
      [7, "unclear"],
      [3, "unclear"],
      [2, "few"],
      [1, "aside"],
    ]);
    expect(rows.slice(-2).map(({ comparison }) => comparison)).toEqual([null, null]);
    // One pair in each of five signatures by failures, and one by cost.
    expect(comparisons).toBe(6);
  });

  it("is empty without signatures, and does not fail on options without decisions", () => {
    expect(whyComparisons([])).toEqual({ comparisons: 0, rows: [] });
    expect(whyComparisons([signature(1, []), signature(2, [option(1, 0, 0)])]).rows).toHaveLength(2);
  });

  it("accuses nobody in 30 worlds of 100 signatures without any difference", () => {
    const simulator = new DecisionSimulator(11);
    let accused = 0;
    for (let world = 0; world < 30; world += 1) {
      const signatures = Array.from({ length: 100 }, (_, i) =>
        simulator.signature({
          runs: simulator.between(40, 300),
          maxRepeats: world % 2 === 0 ? 1 : 5,
          correlation: 0.5,
          situations: [
            { weight: 1, shares: [3, 2, 1], failureRates: [0.1, 0.1, 0.1] },
            { weight: i % 2, shares: [1, 1, 4], failureRates: [0.3, 0.3, 0.3] },
          ],
        }),
      );
      if (whyComparisons(signatures).rows.some(({ group }) => group === "worse")) accused += 1;
    }
    expect(accused).toBeLessThanOrEqual(3);
  });
});
