import { holm } from "../../statistics/hypothesis-tests/holm.ts";
import type { Finding } from "../list/finding.ts";
import { LEVEL } from "../list/list-findings.ts";
import { type ListedRuns, listRuns } from "../list/list-runs.ts";
import type { ClaimKind, OptionTest } from "../list/option-test.ts";
import { MIN_COMPARABLE } from "../list/stratified-test.ts";
import type { ObservedRun } from "../runs/observed-run.ts";
import { type AnswerCoverage, type AnsweredRun, isAnsweredBy, isAsked, isBadBy } from "./answer-coverage.ts";

/** Where a difference holds: where everything is observed, or in both readings of what is observed in part. */
export type Basis = "observed" | "readings";
/**
 * Why a difference that one reading shows is not listed: `few` answers to compare, only complaints (`oneSided`), or the other reading
 * does not show it.
 */
export type Refusal = "few" | "oneSided" | "readings";
/** One way to count silent runs: leave them out, or take them for good. */
export type Reading = "answered" | "silenceGood";

interface ReadingRates {
  rate: number;
  otherRate: number;
  /** Decisions with the option that could be compared. */
  comparable: number;
}

/** Null where a reading compares nothing. */
export type Readings = Record<Reading, ReadingRates | null>;

export interface BasedFinding extends Finding {
  basis: Basis;
  readings: Readings | null;
}

export interface RefusedOption extends OptionTest {
  refusal: Refusal;
  holdsIn: Reading;
  readings: Readings;
}

interface ListedByReadings extends ListedRuns {
  findings: readonly BasedFinding[];
  refused: readonly RefusedOption[];
  /** Runs that neither reading counts: nobody was asked. */
  notAsked: number;
}

/** A run, and who judged it. */
export interface JudgedObservedRun {
  run: ObservedRun;
  answers: AnsweredRun;
}

/**
 * Lists what explains bad scores that not every run could get. Leaving out silent runs accuses an option after which other people answer,
 * and taking them for good one after which more people are asked. So an option is worse only if it is in both readings, each by its own
 * adjusted probability, or by the sources that judge every run. The larger probability of both readings counts, doubled for the two ways.
 */
export function* listByReadings(
  judged: readonly JudgedObservedRun[],
  { full, partly, isOneSided, hasAsks }: AnswerCoverage,
): Generator<undefined, ListedByReadings> {
  const badBy = (sources: typeof full, some = judged) =>
    some.map(({ run, answers }) => ({ ...run, isScoredBad: isBadBy(answers, sources) }));
  const isAnswered = ({ answers }: JudgedObservedRun) => isAnsweredBy(answers, partly);
  const answeredRuns = isOneSided ? [] : judged.filter(isAnswered);
  // Where asks are recorded, silence says something only of runs whose users were asked.
  const counted = hasAsks ? judged.filter((one) => isAnswered(one) || isAsked(one.answers)) : judged;
  const answered = yield* listRuns(badBy(partly, answeredRuns), "scored");
  const silenceGood = yield* listRuns(badBy(partly, counted), "scored");
  const observed = full.length > 0 ? yield* listRuns(badBy(full), "scored") : undefined;
  const whole = full.length > 0 ? yield* listRuns(badBy([...full, ...partly]), "scored") : silenceGood;

  const find = new TestFinder({ answered, silenceGood, observed });
  const tests = find.keys(silenceGood, answered, observed).map(({ kind, option }): OptionTest => {
    const test = find.test("silenceGood", kind, option) ?? find.test("observed", kind, option);
    const other = find.test("answered", kind, option);
    const combine = (pOf: (one: OptionTest) => number) => {
      const of = (one: OptionTest | undefined) => (one ? pOf(one) : 1);
      const both = Math.max(of(other), of(find.test("silenceGood", kind, option)));
      return Math.min(1, 2 * Math.min(of(find.test("observed", kind, option)), both));
    };
    return {
      ...NO_TEST,
      ...other,
      ...test,
      kind,
      option,
      p: combine(({ p }) => p),
      riskP: combine(({ riskP }) => riskP),
    };
  });
  const explains = (kind: ClaimKind, option: number) =>
    (kind === "chose" ? whole.fit.involved : whole.fit.leftOut)[option] ?? 0;
  // What could not be compared is no test.
  const open = tests.filter(({ p }) => p < 1);
  const holmOf = holm(open.map(({ p }) => p));
  const adjustedOf = new Map(open.map((test, index) => [test, holmOf[index] ?? 1]));
  const findings: BasedFinding[] = [];
  const refused: RefusedOption[] = [];
  for (const test of tests) {
    const { kind, option } = test;
    const readings = find.readings(kind, option);
    const groupIn = (list: Listed) => find.finding(list, kind, option)?.group;
    const groups = [groupIn("answered"), groupIn("silenceGood")];
    const shared = { adjusted: adjustedOf.get(test) ?? 1, explains: explains(kind, option) };
    const ratio = Math.min(...find.ratios(kind, option));
    const ofReadings = { ...test, ...shared, ratio, basis: "readings", readings } as const;
    const seen = find.finding("observed", kind, option);
    if (groups.every((group) => group === "worse") && shared.adjusted < LEVEL)
      findings.push({ ...ofReadings, group: "worse" });
    else if (seen?.group === "worse" && shared.adjusted < LEVEL)
      findings.push({ ...seen, ...shared, basis: "observed", readings });
    else if (groups.includes("undecided") && !groups.includes(undefined))
      findings.push({ ...ofReadings, group: "undecided" });
    else if (seen?.group === "undecided") findings.push({ ...seen, ...shared, basis: "observed", readings });
    else if (groups.includes("worse") && groups.includes(undefined)) {
      const holdsIn = groups[0] === "worse" ? "answered" : "silenceGood";
      const isFew = holdsIn === "silenceGood" && !find.isComparable("answered", kind, option);
      const refusal = isOneSided ? "oneSided" : isFew ? "few" : "readings";
      refused.push({ ...test, refusal, holdsIn, readings });
    }
  }
  const byGroup = ({ group }: Finding) => (group === "worse" ? 0 : 1);
  findings.sort((one, other) => byGroup(one) - byGroup(other) || other.explains - one.explains);
  return { ...whole, findings, refused, tests, notAsked: judged.length - counted.length };
}

type Listed = Reading | "observed";

const NO_TEST = {
  excess: 0,
  ratio: 1,
  rate: 0,
  otherRate: 0,
  lines: 0,
  exposed: 0,
  others: 0,
  clusters: 0,
};

/** Finds what the lists of several readings say of the same option. */
class TestFinder {
  readonly #tests = new Map<string, OptionTest>();
  readonly #findings = new Map<string, Finding>();

  constructor(lists: Record<Listed, ListedRuns | undefined>) {
    for (const list of ["answered", "silenceGood", "observed"] as const) {
      for (const test of lists[list]?.tests ?? []) this.#tests.set(keyOf(list, test.kind, test.option), test);
      for (const finding of lists[list]?.findings ?? [])
        this.#findings.set(keyOf(list, finding.kind, finding.option), finding);
    }
  }

  /** Each option once, in the order of the lists. */
  keys(...lists: (ListedRuns | undefined)[]): { kind: ClaimKind; option: number }[] {
    const tests = lists.flatMap((list) => list?.tests ?? []);
    return [...new Map(tests.map(({ kind, option }) => [`${kind} ${option}`, { kind, option }])).values()];
  }

  test(list: Listed, kind: ClaimKind, option: number): OptionTest | undefined {
    return this.#tests.get(keyOf(list, kind, option));
  }

  finding(list: Listed, kind: ClaimKind, option: number): Finding | undefined {
    return this.#findings.get(keyOf(list, kind, option));
  }

  isComparable(list: Listed, kind: ClaimKind, option: number): boolean {
    const { exposed = 0, others = 0 } = this.test(list, kind, option) ?? {};
    return exposed >= MIN_COMPARABLE && others >= MIN_COMPARABLE;
  }

  ratios(kind: ClaimKind, option: number): number[] {
    return (["answered", "silenceGood"] as const).map((list) => this.test(list, kind, option)?.ratio ?? 1);
  }

  readings(kind: ClaimKind, option: number): Readings {
    const of = (list: Reading): ReadingRates | null => {
      const test = this.test(list, kind, option);
      if (!test || test.exposed === 0) return null;
      return { rate: test.rate, otherRate: test.otherRate, comparable: test.exposed };
    };
    return { answered: of("answered"), silenceGood: of("silenceGood") };
  }
}

const keyOf = (list: Listed, kind: ClaimKind, option: number) => `${list} ${kind} ${option}`;
