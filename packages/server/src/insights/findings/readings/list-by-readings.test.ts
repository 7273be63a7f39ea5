import {
  drawSilentRuns,
  GUILTY_BY_SCORES,
  SILENCES,
  type SilentRun,
} from "@whytrace/lab/worlds/agent-simulator/draw-silent-runs.ts";
import { observedRun } from "@whytrace/testing/samples/observed-run.ts";
import { describe, expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import { OUTCOME_FLAGS, SOURCE_FLAGS } from "../../../outcomes/judge-run.ts";
import { listRuns } from "../list/list-runs.ts";
import { answerCoverage } from "./answer-coverage.ts";
import { type JudgedObservedRun, listByReadings } from "./list-by-readings.ts";

const RUNS = 2_000;
/** A strong effect, so that readings differ by more than chance. */
const BAD_RATES = { a: 0.7, b: 0.4 };
/** The innocent decision that changes who is asked or who answers. */
const TELLING = 13;
const optionOf = (decision: number, choseA: boolean) => 2 * decision + (choseA ? 1 : 0);
const GUILTY = optionOf(GUILTY_BY_SCORES, true);

function toJudged({ choices, vote, isAsked }: SilentRun, index: number): JudgedObservedRun {
  const { answered, bad } = SOURCE_FLAGS.user;
  const flags = vote === null ? 0 : OUTCOME_FLAGS.answered | answered | (vote ? 0 : bad);
  const isScoredBad = vote === false;
  const turns = choices.map((choseA, decision) => [optionOf(decision, choseA)]);
  return {
    run: observedRun(turns, { cluster: index, isScoredBad }),
    answers: { outcomeFlags: flags | (isAsked ? OUTCOME_FLAGS.asked : 0), isScoredBad },
  };
}

function draw(name: string, seed: number, runs = RUNS): JudgedObservedRun[] {
  const silence = SILENCES.find((one) => one.name === name);
  if (!silence) throw new Error(`no silence ${name}`);
  return drawSilentRuns(silence, { runs, seed, badRates: BAD_RATES }).map(toJudged);
}

const list = (judged: readonly JudgedObservedRun[]) =>
  runInTimeSlices(listByReadings(judged, answerCoverage(judged.map(({ answers }) => answers))));
const namedIn = async (judged: readonly JudgedObservedRun[]) =>
  (
    await runInTimeSlices(
      listRuns(
        judged.map(({ run }) => run),
        "scored",
      ),
    )
  ).findings.map(({ option }) => option);

describe("an option", () => {
  it("is worse if it holds in both readings, by the larger of their probabilities, doubled", async () => {
    const judged = draw("30 % at random", 2);
    const { findings } = await list(judged);
    const [found] = findings;
    expect(found).toMatchObject({ option: GUILTY, group: "worse", basis: "readings" });
    const answered = judged.filter(
      ({ answers }) => ((answers.outcomeFlags ?? 0) & OUTCOME_FLAGS.answered) !== 0,
    );
    const probabilities: number[] = [];
    for (const some of [answered, judged]) {
      const { tests } = await runInTimeSlices(
        listRuns(
          some.map(({ run }) => run),
          "scored",
        ),
      );
      probabilities.push(tests.find(({ option, kind }) => option === GUILTY && kind === "chose")?.p ?? 1);
    }
    expect(found?.p).toBeCloseTo(2 * Math.max(...probabilities), 12);
    expect(found?.readings?.answered?.comparable).toBeLessThan(found?.readings?.silenceGood?.comparable ?? 0);
  });

  it("is not listed if only those who answered show it, and says so", async () => {
    const judged = draw("after an option the happy answer, too", 1);
    const innocent = optionOf(TELLING, false);
    const answered = judged.filter(
      ({ answers }) => ((answers.outcomeFlags ?? 0) & OUTCOME_FLAGS.answered) !== 0,
    );
    expect(await namedIn(answered)).toContain(innocent);
    const { findings, refused } = await list(judged);
    expect(findings.filter(({ group }) => group === "worse").map(({ option }) => option)).not.toContain(
      innocent,
    );
    expect(refused.find(({ option }) => option === innocent)).toMatchObject({
      refusal: "readings",
      holdsIn: "answered",
    });
  });

  it("is not listed if it only changes who is asked, whether or not asks are recorded", async () => {
    const innocent = optionOf(TELLING, true);
    const unrecorded = draw("asked more after an option, not recorded", 1);
    expect(await namedIn(unrecorded)).toContain(innocent);
    const { findings, refused } = await list(unrecorded);
    expect(findings.map(({ option }) => option)).not.toContain(innocent);
    expect(refused.find(({ option }) => option === innocent)).toMatchObject({ holdsIn: "silenceGood" });
    const recorded = draw("asked more after an option", 1);
    const listed = await list(recorded);
    expect(listed.notAsked).toBeGreaterThan(0);
    expect(listed.counted.runs).toHaveLength(RUNS - listed.notAsked);
    expect([...listed.findings, ...listed.refused].map(({ option }) => option)).not.toContain(innocent);
  });

  it("is refused where only complaints come", async () => {
    const { findings, refused } = await list(draw("only the unhappy, 20 %", 3));
    expect(findings).toEqual([]);
    expect(refused.every(({ refusal }) => refusal === "oneSided")).toBe(true);
    expect(refused.map(({ option }) => option)).toContain(GUILTY);
  });

  it("is refused if fewer than 20 decisions of judged runs can be compared", async () => {
    // About 65 complaints after the guilty option, and 15 thanks after the other one.
    let [complaints, thanks] = [0, 0];
    const judged = draw("everyone answers", 4).map((one) => {
      const isGuilty = one.run.turns[GUILTY_BY_SCORES]?.[0] === GUILTY;
      const { isScoredBad } = one.run;
      if (isGuilty && isScoredBad && complaints++ % 11 === 0) return one;
      if (!isGuilty && !isScoredBad && thanks++ % 40 === 0) return one;
      return { run: { ...one.run, isScoredBad: false }, answers: { outcomeFlags: 0 } };
    });
    const { refused, findings } = await list(judged);
    expect(findings).toEqual([]);
    expect(refused.find(({ option }) => option === GUILTY)?.refusal).toBe("few");
  });
});

it("lists what sources say that judge every run, beside those that judge some", async () => {
  const judged = draw("everyone answers", 5).map(({ run, answers }, index): JudgedObservedRun => {
    const { answered, bad } = SOURCE_FLAGS.code;
    const byCode = OUTCOME_FLAGS.answered | answered | (answers.isScoredBad ? bad : 0);
    const byUser = index % 20 === 0 ? SOURCE_FLAGS.user.answered : 0;
    return { run, answers: { outcomeFlags: byCode | byUser, isScoredBad: answers.isScoredBad ?? false } };
  });
  const { findings, fit } = await list(judged);
  expect(findings.filter(({ group }) => group === "worse")).toMatchObject([
    { option: GUILTY, basis: "observed" },
  ]);
  expect(fit.bad).toBe(judged.filter(({ run }) => run.isScoredBad).length);
});
