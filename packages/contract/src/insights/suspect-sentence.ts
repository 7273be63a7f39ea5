import type { Blame, Suspect } from "../schemas/insights/blame.ts";
import { BAD_RUN_WORDS } from "./bad-run-words.ts";
import { experimentWords } from "./experiment-words.ts";
import { isTooFewRuns, NO_DECISION, tooFewRunsSentence } from "./few-runs.ts";
import { type Sentence, sentenceOf } from "./sentence.ts";
import { shortCount, shortPercent, shortRatio } from "./short-numbers.ts";

/** More turns of one option tell nothing. */
const MAX_TURNS = 4;
const WORDS = { likely: "Likely: ", possible: "Possible: ", none: "" };

/** What a sentence says of a suspect. */
type SaidSuspect = Pick<
  Suspect,
  | "kind"
  | "option"
  | "turns"
  | "suspicion"
  | "explains"
  | "ratio"
  | "rate"
  | "otherRate"
  | "comparable"
  | "experiment"
>;

interface SaidBlame extends Pick<Blame, "ending"> {
  suspects: readonly SaidSuspect[];
  /** How many runs were compared; unknown in what was shared. */
  comparedRuns?: number;
  badRuns?: number;
}

/** The answer of blame, in the words that all pages, tools and commands use. */
export function blameSentence({ ending, suspects, comparedRuns, badRuns }: SaidBlame): Sentence {
  const [first] = suspects;
  const circle =
    ending.isCircle && ending.turn !== null ? ` It went in circles from turn ${ending.turn + 1} on.` : "";
  if (first === undefined || first.suspicion === "none") {
    const compared =
      comparedRuns === undefined || badRuns === undefined ? undefined : { comparedRuns, badRuns };
    // No decision explains a run that decided nothing, however few runs there are.
    const answer = first && compared && isTooFewRuns(compared) ? tooFewRunsSentence(compared) : NO_DECISION;
    return sentenceOf([answer + circle]);
  }
  return sentenceOf([WORDS[first.suspicion], ...whatWasDone(first), `.${circle}`]);
}

/** What is known of a suspect. Figures are said only if it was compared. */
export function suspectSentence(
  suspect: SaidSuspect,
  { ending, badRuns }: Pick<Blame, "ending" | "badRuns">,
): Sentence {
  const words = BAD_RUN_WORDS[ending.kind === "abandoned" ? "failed" : ending.kind];
  const { kind, explains, ratio, rate, otherRate, comparable } = suspect;
  const done = [WORDS[suspect.suspicion], ...whatWasDone(suspect), "."];
  const explained =
    explains === null || Math.round(explains) < 1
      ? ""
      : ` It explains ${shortCount(explains)} of ${shortCount(badRuns)} ${words.runs} of this agent.`;
  if (suspect.experiment)
    return sentenceOf([...done, explained, experimentWords(suspect.experiment, words.did)]);
  if (ratio === null || rate === null || otherRate === null)
    return sentenceOf([...done, explained, " It could not be compared in the same situation."]);
  const compared =
    kind === "left-out"
      ? ` Runs without it ${words.did} ${shortRatio(ratio)} times as often in the same situation.`
      : ` In the same situation ${shortPercent(rate)} of runs that chose it ${words.did}, of others ${shortPercent(otherRate)}` +
        `${comparable === null ? "" : ` (${shortCount(comparable)} choices comparable)`}.`;
  return sentenceOf([...done, explained, compared]);
}

/** "`search`, at turn 3 (or 5)". Turns are counted from 1 on, as people do. */
function whatWasDone({ kind, option, turns }: SaidSuspect): (string | { option: string })[] {
  if (kind === "left-out" && option === "") return ["something that other runs chose was left out"];
  if (kind === "left-out") return [{ option }, " was left out"];
  const [first, ...others] = turns.slice(0, MAX_TURNS).map((turn) => turn + 1);
  if (first === undefined) return [{ option }];
  const or = others.length === 0 ? "" : ` (or ${others.join(", ")})`;
  return [{ option }, `, at turn ${first}${or}`];
}
