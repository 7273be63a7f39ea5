import { expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import type { CountedRun } from "./counted-run.ts";
import { dropSuccessfulEnds } from "./drop-successful-ends.ts";

const [WORK, PUBLISH, NOTIFY, CHECK] = [0, 1, 2, 3];
const OPTIONS = 4;

const run = (options: number[], isBad = false): CountedRun => ({
  cluster: 0,
  situation: 0,
  background: 0,
  weight: 1,
  turns: options.map((option) => [option]),
  reactions: options.map(() => false),
  errorsBefore: options.map(() => 0),
  isBad,
  lastAtRisk: options.length - 1,
  isLocated: true,
  isCircle: false,
  kind: isBad ? 0 : -1,
});
const times = (count: number, options: number[], isBad = false) =>
  Array.from({ length: count }, () => run(options, isBad));
const leftOf = async (runs: CountedRun[]) => {
  const left = await runInTimeSlices(dropSuccessfulEnds(runs, OPTIONS));
  return left.map(({ turns, lastAtRisk }) => [turns.flat(), lastAtRisk]);
};

it("leaves out what only good runs call, and call last, one step after the other", async () => {
  const runs = [...times(30, [WORK, PUBLISH, NOTIFY]), ...times(10, [WORK], true)];
  expect(await leftOf(runs)).toEqual(runs.map(() => [[WORK], 0]));
});

it("keeps what bad runs call last, too", async () => {
  const runs = [...times(30, [WORK, CHECK]), ...times(10, [WORK, CHECK], true)];
  expect(await leftOf(runs)).toEqual(runs.map(() => [[WORK, CHECK], 1]));
});

it("keeps what good runs also call earlier", async () => {
  const runs = [...times(30, [PUBLISH, WORK, PUBLISH]), ...times(10, [WORK], true)];
  expect((await leftOf(runs)).slice(0, 30)).toEqual(times(30, []).map(() => [[PUBLISH, WORK, PUBLISH], 2]));
});

it("keeps at least one turn, and what few runs call", async () => {
  expect((await leftOf([...times(30, [PUBLISH]), ...times(10, [WORK], true)]))[0]).toEqual([[PUBLISH], 0]);
  expect((await leftOf([...times(19, [WORK, PUBLISH]), ...times(10, [WORK], true)]))[0]).toEqual([
    [WORK, PUBLISH],
    1,
  ]);
});

it("keeps an end that goes well beside another end at the same place", async () => {
  const runs = [
    ...times(164, [WORK, PUBLISH]),
    ...times(2, [WORK, PUBLISH], true),
    ...times(92, [WORK, CHECK]),
    ...times(65, [WORK, CHECK], true),
  ];
  expect((await leftOf(runs))[0]).toEqual([[WORK, PUBLISH], 1]);
  const elsewhere = [
    ...times(164, [WORK, PUBLISH]),
    ...times(2, [WORK, PUBLISH], true),
    ...times(92, [NOTIFY, CHECK]),
    ...times(65, [NOTIFY, CHECK], true),
  ];
  expect((await leftOf(elsewhere))[0]).toEqual([[WORK], 0]);
});

it("leaves out the end of good runs beside a way to give up", async () => {
  const runs = [...times(160, [WORK, PUBLISH]), ...times(60, [WORK, CHECK], true)];
  expect((await leftOf(runs))[0]).toEqual([[WORK], 0]);
});
