import { expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import type { CountedRun } from "../runs/counted-run.ts";
import type { Draw } from "../runs/observed-run.ts";
import { measureExperiments } from "./measure-experiments.ts";

const run = (index: number, isBad: boolean, draws?: Draw[], weight = 1): CountedRun => ({
  cluster: index,
  situation: 0,
  background: 0,
  weight,
  turns: [[0]],
  reactions: [false],
  errorsBefore: [0],
  isBad,
  lastAtRisk: 0,
  isLocated: true,
  isCircle: false,
  kind: -1,
  draws,
});
const measure = (runs: CountedRun[]) => runInTimeSlices(measureExperiments(runs));
const runs = (draw: (index: number) => Draw[], weight = (_isBad: boolean) => 1) =>
  Array.from({ length: 200 }, (_, index) => {
    const isBad = index % 5 === 0;
    return run(index, isBad, draw(index), weight(isBad));
  });

it("compares draws of one place only", async () => {
  const places = await measure(runs((index) => [{ place: index % 2, option: index % 4, probability: 0.5 }]));
  expect([...places.keys()].sort()).toEqual([0, 1, 2, 3]);
  expect(places.get(0)?.drawn).toBe(100);
  const alone = await measure(runs((index) => [{ place: index % 2, option: index % 2, probability: 0.5 }]));
  expect(alone.size).toBe(0);
});

it("counts a run as often as it stands for, and a draw by its probability", async () => {
  const draw = (index: number) => [{ place: 0, option: Math.floor(index / 10) % 2, probability: 0.5 }];
  const plain = await measure(runs(draw));
  const sampled = await measure(runs(draw, (isBad) => (isBad ? 1 : 10)));
  expect(plain.get(0)?.difference).toBeCloseTo(0, 12);
  expect(sampled.get(0)?.difference).toBeCloseTo(0, 12);
  // Of option 0, 20 bad draws count 5 each and 80 good ones 1.25 each; of option 1 one in five is bad.
  const unequal = await measure(
    runs((index) => {
      const option = index % 2;
      return [{ place: 0, option, probability: option === 1 ? 0.5 : index % 5 === 0 ? 0.2 : 0.8 }];
    }),
  );
  expect(unequal.get(0)?.difference).toBeCloseTo(0.5 - 0.2, 12);
  const heavy = await measure(
    runs((index) => [{ place: 0, option: index % 2, probability: 0.5 }]).map((one, index) => ({
      ...one,
      weight: index % 2 === 0 && one.isBad ? 4 : 1,
    })),
  );
  expect(heavy.get(0)?.difference).toBeCloseTo(0.5 - 0.2, 12);
});

it("finds nothing where nothing was drawn", async () => {
  expect((await measure([run(0, true), run(1, false)])).size).toBe(0);
});
