import { expect, it } from "vitest";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import { isRareWithout } from "./is-rare-without.ts";
import type { CountedRun } from "./runs/counted-run.ts";

const KIND = 3;
const [OPTION, OTHER] = [1, 0];

const run = (overrides: Partial<CountedRun>): CountedRun => ({
  cluster: 0,
  situation: 0,
  background: 0,
  weight: 1,
  turns: [[OTHER], [OPTION]],
  reactions: [false, false],
  errorsBefore: [0, 0],
  isBad: false,
  lastAtRisk: 1,
  isLocated: true,
  isCircle: false,
  kind: -1,
  ...overrides,
});
const times = (count: number, overrides: Partial<CountedRun> = {}) =>
  Array.from({ length: count }, () => run(overrides));
const bad = { isBad: true, kind: KIND };
const without = { turns: [[OTHER], [OTHER]] };
const ask = (runs: CountedRun[], kind: "chose" | "left out" = "chose") =>
  runInTimeSlices(isRareWithout(runs, { kind, option: OPTION }, KIND));

it("holds if bad runs of the kind are five times as frequent with the option", async () => {
  const having = [...times(10, bad), ...times(10)];
  expect(await ask([...having, ...times(1, { ...bad, ...without }), ...times(9, without)])).toBe(true);
  expect(await ask([...having, ...times(2, { ...bad, ...without }), ...times(8, without)])).toBe(false);
});

it("counts runs by their weights, and bad runs of another kind as other runs", async () => {
  const having = [...times(10, bad), ...times(10)];
  const others = [...times(1, { ...bad, ...without }), ...times(8, { ...bad, ...without, kind: KIND + 1 })];
  expect(await ask([...having, ...others, run(without)])).toBe(true);
  expect(await ask([...having, ...others, run({ ...bad, ...without, weight: 0.5 })])).toBe(false);
});

it("looks at choices up to the onset that answer no error", async () => {
  const having = [...times(10, bad), ...times(10)];
  const late = { ...bad, lastAtRisk: 0 };
  const reacting = { ...bad, reactions: [false, true] };
  for (const alsoBad of [late, reacting])
    expect(await ask([...having, ...times(5, alsoBad), ...times(5, without)])).toBe(false);
});

it("holds of what was left out, too, and never if there are no other runs", async () => {
  expect(await ask([...times(10, { ...bad, ...without }), ...times(20)], "left out")).toBe(true);
  expect(await ask([...times(10, bad), ...times(10)])).toBe(false);
});
