import { expect, it } from "vitest";
import { meanBySession } from "./mean-by-session.ts";

const values = (sessions: readonly number[][]) =>
  sessions.flatMap((session, index) => session.map((value) => ({ session: `${index}`, value })));

it("of single runs is as certain as their standard error says", () => {
  const { mean, variance, sessions, count } = meanBySession(values([[1], [2], [3], [4]]));
  expect([mean, sessions, count]).toEqual([2.5, 4, 4]);
  // The variance of 1, 2, 3, 4 is 5/3.
  expect(variance).toBeCloseTo(5 / 3 / 4, 12);
});

it("does not become more certain by runs of a session that are alike", () => {
  const single = meanBySession(values([[1], [2], [3], [4]]));
  const repeated = meanBySession(
    values([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
    ]),
  );
  expect(repeated.variance).toBeCloseTo(single.variance, 12);
  expect(repeated.effectiveSessions).toBe(4);
});

it("knows nothing of a single session", () => {
  expect(meanBySession(values([[1, 2, 3]])).variance).toBe(Number.POSITIVE_INFINITY);
  expect(meanBySession([])).toMatchObject({ count: 0, mean: 0 });
});
