import { DecisionSimulator } from "@whytrace/testing/samples/simulated-decisions.ts";
import { expect, it } from "vitest";
import { driftTest } from "./drift-test.ts";

/** Each decision in a run of its own. */
const side = (chosen: number[]) => {
  return { options: chosen.map((one) => ({ chosen: one, squares: one, products: one })) };
};

it("gives the chi-squared test for many decisions, and how much of the choices moved", () => {
  const { p, distance } = driftTest(side([400, 300, 200, 100]), side([350, 350, 200, 100]));
  expect(p).toBeCloseTo(0.06639169621803992, 10);
  expect(distance).toBeCloseTo(0.05, 10);
});

it("does not test fewer than 20 decisions or 10 sessions on either side, and says so", () => {
  expect(driftTest(side([19, 0]), side([0, 500]))).toEqual({
    p: null,
    untested: "few-decisions",
    distance: 1,
  });
  expect(driftTest(side([500, 0]), side([0, 0]))).toEqual({ p: null, untested: "one-side", distance: 0 });
  // A run with 450 decisions, and 50 with one.
  const long = { options: [{ chosen: 500, squares: 202_550, products: 202_550 }, ...side([0]).options] };
  expect(driftTest(long, side([0, 500]))).toEqual({ p: null, untested: "few-sessions", distance: 1 });
});

it("gives the same result for the same counts, and about the exact one for few", () => {
  const { p } = driftTest(side([14, 11]), side([8, 17]));
  expect(driftTest(side([14, 11]), side([8, 17])).p).toBe(p);
  // Fisher's exact p is 0.154.
  expect(p).toBeGreaterThan(0.11);
  expect(p).toBeLessThan(0.2);
});

it("tells how small p is where permutations cannot", () => {
  expect(driftTest(side([100, 0]), side([0, 100])).p).toBeLessThan(1e-20);
});

it("pools options that are rare", () => {
  const rare = Array.from({ length: 30 }, () => 1);
  const { p } = driftTest(side([600, 400, ...rare]), side([600, 400, ...rare.map(() => 1)]));
  expect(p).toBeGreaterThan(0.99);
});

it("does not take the habit of a run for drift", () => {
  // Ten runs on each side, each of which chose the same option ten times.
  const habits = (runs: number[]) => ({
    options: runs.map((count) => ({ chosen: 10 * count, squares: 100 * count, products: 100 * count })),
  });
  expect(driftTest(habits([7, 3]), habits([4, 6])).p).toBeGreaterThan(0.1);
  expect(driftTest(side([70, 30]), side([40, 60])).p).toBeLessThan(0.001);
});

it("takes the effect of the side that has sessions, however many single runs the other one has", () => {
  // Twenty sessions, each of which chose the same option ten times.
  const sessions = (counts: number[]) => ({
    options: counts.map((count) => ({ chosen: 10 * count, squares: 100 * count, products: 100 * count })),
  });
  expect(driftTest(side([5_000, 5_000]), sessions([13, 7])).p).toBeGreaterThan(0.1);
  expect(driftTest(side([5_000, 5_000]), side([130, 70])).p).toBeLessThan(0.001);
});

it("finds drift at 1 % in hardly more than 1 of 100 cases without any", () => {
  const simulator = new DecisionSimulator(5);
  let found = 0;
  for (let i = 0; i < 600; i += 1) {
    const maxRepeats = i % 2 === 0 ? 1 : 6;
    const draw = (runs: number) =>
      simulator.choices({ runs, maxRepeats, correlation: 0.5, shares: [0.6, 0.25, 0.1, 0.05] });
    if ((driftTest(draw(120), draw(80)).p ?? 1) < 0.01) found += 1;
  }
  expect(found).toBeLessThanOrEqual(13);
});
