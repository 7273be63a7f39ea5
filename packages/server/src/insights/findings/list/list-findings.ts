import { holm } from "../../statistics/hypothesis-tests/holm.ts";
import { decideByExperiment } from "../experiment/decide-by-experiment.ts";
import { measureExperiments } from "../experiment/measure-experiments.ts";
import type { Fit } from "../fit/fit-causes.ts";
import type { CountedRuns } from "../runs/counted-run.ts";
import { fixedSteps } from "../runs/fixed-steps.ts";
import type { Finding, FindingsList } from "./finding.ts";
import { isWorseAtSameCall } from "./is-worse-at-same-call.ts";
import type { OptionTest } from "./option-test.ts";
import { testChoices } from "./test-choices.ts";
import { testOmissions } from "./test-omissions.ts";
import { turnsAtRisk } from "./turns-at-risk.ts";

/** At most this share of lists names something false. */
export const LEVEL = 0.05;
/** A finding must explain so much of its excess, so many bad runs, and so many of all bad runs: a small bias does not. */
const MIN_SUPPORT = 0.75;
const MIN_EXPLAINED = 2;
const MIN_SHARE = 0.1;
/** Of an option with fewer decisions it is no wonder that none can be compared. */
const MIN_APART = 20;

/**
 * The options that are named. Their runs go wrong more often in the same state, by risk and by rate, and with all choices fitted
 * together they explain these bad runs: without the fit, what only leads to the culprit would be named, too. Where the fit cannot
 * tell both apart, the calls that go wrong are compared with the same calls of other runs.
 */
export function* listFindings(counted: CountedRuns, fit: Fit): Generator<undefined, FindingsList> {
  const { usual } = fit.model;
  const turns = yield* turnsAtRisk(counted, usual);
  const fixed = yield* fixedSteps(counted);
  const all = yield* testChoices(turns, counted);
  const choices = all.filter(({ option }) => !fixed.has(option));
  const tests = [...choices, ...(yield* testOmissions(turns, counted, usual))];
  const explains = ({ kind, option }: OptionTest) =>
    (kind === "chose" ? fit.involved : fit.leftOut)[option] ?? 0;
  const isExplaining = (test: OptionTest) =>
    explains(test) >= Math.max(MIN_EXPLAINED * fit.badWeight, MIN_SHARE * fit.bad, MIN_SUPPORT * test.excess);
  const hold = (some: readonly OptionTest[], group: Finding["group"], pOf: (test: OptionTest) => number) => {
    const open = some.filter((test) => pOf(test) < 1);
    const adjusted = holm(open.map(pOf));
    return open
      .map((test, index): Finding => {
        return { ...test, group, adjusted: adjusted[index] ?? 1, explains: explains(test) };
      })
      .filter((finding) => finding.adjusted < LEVEL && isExplaining(finding))
      .sort((one, other) => other.explains - one.explains);
  };
  const standOut = hold(tests, "worse", ({ p }) => p);
  const worse: Finding[] = [];
  for (const finding of standOut)
    if (finding.kind === "left out" || (yield* isWorseAtSameCall(counted.runs, finding.option)))
      worse.push(finding);
  const standsOut = ({ option }: Finding) =>
    standOut.some((one) => one.kind === "chose" && one.option === option);
  const undecided = hold(choices, "undecided", ({ riskP }) => riskP).filter(
    (finding) => finding.p < 1 && !standsOut(finding),
  );
  const apart = choices
    .filter(({ lines, exposed }) => lines >= MIN_APART && exposed === 0)
    .sort((one, other) => other.lines - one.lines);
  const experiments = yield* measureExperiments(counted.runs);
  const list = { findings: [...worse, ...undecided], apart, tests, experiments, cleared: new Set<number>() };
  return decideByExperiment(list, all, explains);
}
