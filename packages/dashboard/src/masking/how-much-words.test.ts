import { expect, it } from "vitest";
import { howMuchWords } from "./how-much-words.ts";

const job = {
  version: 2,
  status: "done",
  done: 6_000,
  total: 6_000,
  changed: 3,
  leftOut: 0,
  startedAt: "2026-11-18T10:00:00.000Z",
  endedAt: "2026-11-18T10:01:00.000Z",
} as const;

it("tells how many traces there are, and a duration in one unit, by the last job if it tells enough", () => {
  const firstWords = (count: number, last: Parameters<typeof howMuchWords>[1]) =>
    howMuchWords(count, last).split(".")[0];
  expect(firstWords(0, null)).toBe("0 traces: about 1 second");
  expect(firstWords(1_204, null)).toBe("1,204 traces: about 24 seconds");
  expect(firstWords(1_000_000, null)).toBe("1,000,000 traces: about 6 hours");
  expect(firstWords(12_000, job)).toBe("12,000 traces: about 2 minutes");
  expect(firstWords(12_000, { ...job, done: 6 })).toBe("12,000 traces: about 4 minutes");
  expect(firstWords(1, { ...job, endedAt: null })).toBe("1 trace: about 1 second");
});
