import type { Findings } from "../schemas/insights/findings.ts";
import type { LeftOut } from "../schemas/insights/left-out.ts";
import type { InsightsRange } from "../schemas/insights/rate.ts";
import type { ScoreSource } from "../schemas/scores.ts";
import { formatDay } from "./format-day.ts";
import { shortCount, shortPercent } from "./short-numbers.ts";

/** What is said of the scores that a list counts. */
export interface CountedOutcomes {
  /** All runs, counted or not. */
  runs: number;
  leftOut?: LeftOut | undefined;
  answers?: Findings["answers"] | undefined;
  judging?: InsightsRange["judging"] | undefined;
}

export const ONE_SIDED =
  "Complaints only. Whether users complain more after an option because it is worse, or because they are asked more often, cannot be told.";

const NAMES: Readonly<Record<ScoreSource, string>> = {
  user: "users",
  judge: "judge",
  code: "checks",
  person: "people",
};

/** A part of a note. */
interface OutcomeNotePart {
  text: string;
  /** Present if the part counts runs that are left out: what they miss, or null if that is not known. */
  leftOut?: LeftOut["missing"][number] | null;
}

/** What a reader has to know of the outcomes that a page counts, in the words that all pages, tools and commands use. */
export const outcomeNotes = (counted: CountedOutcomes): string[] =>
  outcomeNoteParts(counted).map((parts) => parts.map(({ text }) => text).join(""));

/** The same notes in parts, for a page that links what is left out. */
export function outcomeNoteParts({
  runs,
  leftOut,
  answers,
  judging,
}: CountedOutcomes): readonly (readonly OutcomeNotePart[])[] {
  const notes: (readonly OutcomeNotePart[])[] = [];
  const say = (text: string) => notes.push([{ text }]);
  if (judging) say(judgingNote(judging));
  if (leftOut && leftOut.runs > 0) notes.push(leftOutNote(runs, leftOut));
  if (answers?.isOneSided) say(ONE_SIDED);
  else if (answers && answers.answered > 0)
    say(
      `${shortPercent(answers.bad / answers.answered)} of the votes are bad; that is not the share of unhappy users.`,
    );
  for (const { sources, runs: both, differ } of answers?.contradictions ?? []) {
    const [one, other] = sources;
    if (!one || !other) continue;
    say(
      `${capitalized(NAMES[other])} and ${NAMES[one]} differ in ${shortCount(differ)} of ${shortCount(both)} runs that have both.`,
    );
  }
  return notes;
}

function judgingNote({ countedFrom, runsLeft, isMixed }: NonNullable<InsightsRange["judging"]>): string {
  if (isMixed)
    return `All days are counted, although ${shortCount(runsLeft)} ${runsLeft === 1 ? "run is" : "runs are"} still judged by the definition before and being read again.`;
  const older = `${shortCount(runsLeft)} ${countedFrom === null ? "" : "older "}${runsLeft === 1 ? "run is" : "runs are"} being read again.`;
  return countedFrom === null
    ? `Nothing is counted yet: ${older}`
    : `Counted from ${formatDay(countedFrom)} on; ${older}`;
}

function leftOutNote(all: number, { runs, missing }: LeftOut): OutcomeNotePart[] {
  const reasons: OutcomeNotePart[] =
    missing.length > 0
      ? missing.map((leftOut) => ({ text: missingWords(leftOut), leftOut }))
      : [{ text: `${shortCount(runs)} whose outcome is unknown`, leftOut: null }];
  const counted = `Counted ${shortCount(Math.max(0, all - runs))} of ${shortCount(all)} runs. Left out: `;
  return [
    { text: counted },
    ...reasons.flatMap((reason, index) => (index === 0 ? [reason] : [{ text: ", " }, reason])),
    { text: "." },
  ];
}

function missingWords({ name, runs, isNotAsked }: LeftOut["missing"][number]): string {
  if (!isNotAsked) return `${shortCount(runs)} without a score ${name}`;
  return `${shortCount(runs)} that were not asked${name === "feedback" ? "" : ` for ${name}`}`;
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
