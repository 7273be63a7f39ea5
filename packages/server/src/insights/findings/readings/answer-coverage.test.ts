import type { ScoreSource } from "@whytrace/contract/schemas/scores";
import { describe, expect, it } from "vitest";
import { OUTCOME_FLAGS, SOURCE_FLAGS } from "../../../outcomes/judge-run.ts";
import { type AnsweredRun, answerCoverage } from "./answer-coverage.ts";

/** A run that these sources judged, and those of them that said bad. */
function judged(answeredBy: ScoreSource[], badBy: ScoreSource[] = []): AnsweredRun {
  let outcomeFlags = answeredBy.length > 0 ? OUTCOME_FLAGS.answered : 0;
  for (const source of answeredBy) outcomeFlags |= SOURCE_FLAGS[source].answered;
  for (const source of badBy) outcomeFlags |= SOURCE_FLAGS[source].bad;
  return { outcomeFlags, isScoredBad: badBy.length > 0 };
}
const times = (count: number, run: AnsweredRun) => Array.from({ length: count }, () => run);

describe("a source", () => {
  it("judges runs in part if it judged at least one, and fewer than 90 %", () => {
    const of = (count: number) =>
      answerCoverage([...times(count, judged(["user"])), ...times(100 - count, judged([]))]);
    expect(of(0)).toMatchObject({ partly: [], full: [], answered: 0 });
    expect(of(1)).toMatchObject({ partly: ["user"], full: [], answered: 1 });
    expect(of(89)).toMatchObject({ partly: ["user"], full: [], answered: 89 });
    expect(of(90)).toMatchObject({ partly: [], full: ["user"], answered: 0 });
  });

  it("is looked at for itself: a check of every run does not hide that few users vote", () => {
    const runs = [...times(80, judged(["code"])), ...times(20, judged(["user", "code"], ["user"]))];
    expect(answerCoverage(runs)).toMatchObject({ full: ["code"], partly: ["user"], answered: 20, bad: 20 });
  });

  it("counts as users in runs that were judged before sources were recorded", () => {
    const old = { outcomeFlags: OUTCOME_FLAGS.answered | OUTCOME_FLAGS.badByScores, isScoredBad: true };
    expect(answerCoverage([old, judged([]), judged([])])).toMatchObject({
      partly: ["user"],
      answered: 1,
      bad: 1,
    });
  });
});

it("is one-sided from 20 answers on, of which 95 % say bad", () => {
  const isOneSided = (bad: number, good: number) =>
    answerCoverage([
      ...times(bad, judged(["user"], ["user"])),
      ...times(good, judged(["user"])),
      ...times(200, judged([])),
    ]).isOneSided;
  expect([isOneSided(19, 0), isOneSided(20, 0), isOneSided(19, 1), isOneSided(18, 2)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

it("takes asks into account only where users are those who answer in part", () => {
  const asked = { outcomeFlags: OUTCOME_FLAGS.asked };
  const silent = times(10, judged([]));
  expect(answerCoverage([asked, judged(["user"]), ...silent]).hasAsks).toBe(true);
  expect(answerCoverage([asked, judged(["judge"]), ...silent]).hasAsks).toBe(false);
  expect(answerCoverage([judged(["user"]), ...silent]).hasAsks).toBe(false);
});

it("says in how many runs that two sources judged they differ", () => {
  const runs = [
    ...times(3, judged(["user", "judge"], ["user"])),
    ...times(4, judged(["user", "judge"], ["user", "judge"])),
    ...times(2, judged(["judge"], ["judge"])),
  ];
  expect(answerCoverage(runs).contradictions).toEqual([{ sources: ["user", "judge"], runs: 7, differ: 3 }]);
});
