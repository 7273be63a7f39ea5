import { expect, it } from "vitest";
import { scorecardOptions } from "./scorecard-options.ts";
import { wilsonInterval } from "./wilson-interval.ts";

const option = (step: number, failed: number, decisions: number) => ({
  step,
  sums: {
    runs: decisions,
    decisions,
    failed,
    decisionSquares: decisions,
    products: failed,
    failedSquares: failed,
  },
  cost: { decisions: 0, usd: 0, usdSquares: 0 },
});

it("gives each option its rate, and its lift against the others where both were chosen 20 times", () => {
  const options = [option(1, 30, 100), option(2, 5, 100), option(3, 2, 19)];
  const [one, two, three] = scorecardOptions({ signature: 1, isAside: false, options, strata: new Map() });
  expect(one?.rate).toEqual(wilsonInterval(30, 100));
  expect(one?.lift?.value).toBeCloseTo(30.5 / 100.5 / (7.5 / 119.5), 8);
  expect(two?.lift?.high).toBeLessThan(1);
  expect(three).toMatchObject({ step: 3, lift: null, stratifiedLift: null, isConfounded: false });
});

it("compares no option that was chosen always", () => {
  const [only] = scorecardOptions({
    signature: 1,
    isAside: false,
    options: [option(1, 3, 50)],
    strata: new Map(),
  });
  expect(only?.lift).toBeNull();
});
