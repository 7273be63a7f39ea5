import { Random } from "@whytrace/demo";

/** So many decisions of two options a run; one option of one decision is guilty. */
const SILENT_DECISIONS = 20;
export const GUILTY_BY_SCORES = 7;
export const GUILTY_BY_ERRORS = 3;
/** An innocent decision whose option `a` changes who is asked or who answers. */
const TELLING = 13;

const BAD_RATES = { a: 0.3, b: 0.15 };
const ERROR_RATES = { a: 0.16, b: 0.08 };

/** Who is asked whether a run was good, and who answers, by what the telling decision chose. */
export interface Silence {
  name: string;
  asks(choseA: boolean): number;
  answers(isUnhappy: boolean, choseA: boolean): number;
  /** Whether runs record that users were asked. */
  recordsAsks: boolean;
  /** Whether runs also fail, by an option of another decision. */
  hasErrors: boolean;
}

const EVERYBODY = () => 1;
const unhappyMore = (isUnhappy: boolean) => (isUnhappy ? 0.3 : 0.05);
const askedMore = (choseA: boolean) => (choseA ? 0.8 : 0.4);
const happyToo = (isUnhappy: boolean, choseA: boolean) => (isUnhappy ? 0.3 : choseA ? 0.25 : 0.05);
const plain = { asks: EVERYBODY, recordsAsks: false, hasErrors: false };

export const SILENCES: readonly Silence[] = [
  { ...plain, name: "everyone answers", answers: EVERYBODY },
  { ...plain, name: "30 % at random", answers: () => 0.3 },
  { ...plain, name: "unhappy 30 %, happy 5 %", answers: unhappyMore },
  { ...plain, name: "only the unhappy, 20 %", answers: (isUnhappy) => (isUnhappy ? 0.2 : 0) },
  { ...plain, name: "asked more after an option, not recorded", asks: askedMore, answers: unhappyMore },
  { ...plain, name: "asked more after an option", asks: askedMore, answers: unhappyMore, recordsAsks: true },
  {
    ...plain,
    name: "asked more after an option, only the unhappy",
    asks: askedMore,
    answers: (isUnhappy) => (isUnhappy ? 0.3 : 0),
    recordsAsks: true,
  },
  { ...plain, name: "after an option the happy answer, too", answers: happyToo },
  { ...plain, name: "errors; unhappy 30 %, happy 5 %", answers: unhappyMore, hasErrors: true },
  {
    ...plain,
    name: "errors; asked more after an option",
    asks: askedMore,
    answers: unhappyMore,
    recordsAsks: true,
    hasErrors: true,
  },
  { ...plain, name: "errors; after an option the happy answer, too", answers: happyToo, hasErrors: true },
];

export interface SilentRun {
  /** Of each decision, whether it chose its option `a`. */
  choices: readonly boolean[];
  isError: boolean;
  isAsked: boolean;
  /** Null: silent. */
  vote: boolean | null;
}

/** Runs of an agent whose users do not all say whether they are happy, in the order of time. */
export function drawSilentRuns(
  { asks, answers, recordsAsks, hasErrors }: Silence,
  { runs, seed, badRates = BAD_RATES }: { runs: number; seed: number; badRates?: typeof BAD_RATES },
): SilentRun[] {
  const random = new Random(seed);
  const isDrawn = (share: number) => random.next() < share;
  return Array.from({ length: runs }, () => {
    const choices = Array.from({ length: SILENT_DECISIONS }, () => isDrawn(0.5));
    const rateOf = (rates: typeof BAD_RATES, decision: number) => (choices[decision] ? rates.a : rates.b);
    const isError = hasErrors && isDrawn(rateOf(ERROR_RATES, GUILTY_BY_ERRORS));
    const isUnhappy = isDrawn(rateOf(badRates, GUILTY_BY_SCORES));
    const choseA = choices[TELLING] ?? false;
    const wasAsked = isDrawn(asks(choseA));
    const isAnswered = wasAsked && isDrawn(answers(isUnhappy, choseA));
    return {
      choices,
      isError,
      isAsked: recordsAsks && wasAsked,
      vote: isAnswered ? !isUnhappy : null,
    };
  });
}

/** The name of an option. */
export const silentOption = (decision: number, choseA: boolean): string =>
  `${choseA ? "a" : "b"}${String.fromCharCode("a".charCodeAt(0) + decision)}`;
