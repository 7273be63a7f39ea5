import type { FindingItem, Findings } from "../schemas/insights/findings.ts";
import { BAD_RUN_WORDS } from "./bad-run-words.ts";
import { experimentWords, isHarmMeasured, undecidedExperimentWords } from "./experiment-words.ts";
import { formatDay } from "./format-day.ts";
import { ONE_SIDED } from "./outcome-notes.ts";
import { type Sentence, sentenceOf } from "./sentence.ts";
import { shortCount, shortPercent, shortRatio, shortUsd } from "./short-numbers.ts";

/** With fewer runs an empty list says little. */
const FEW_RUNS = 100;

interface FindingContext extends Pick<Findings, "badRuns" | "lens"> {
  /** All rows of the list, to name those that explain something only together. */
  rows?: readonly FindingItem[];
}

/** What a finding says, in the words that all pages, tools and commands use. */
export function findingSentence(row: FindingItem, { badRuns, lens, rows = [] }: FindingContext): Sentence {
  const { option, explains, ratio, rate, otherRate } = row;
  const words = BAD_RUN_WORDS[lens];
  if (row.group === "unclear" && row.refusal !== null) return unclearSentence(row, words);
  const since = row.since === null ? "" : ` Holds since ${formatDay(row.since)}.`;
  if (row.cost !== null)
    return sentenceOf([
      "A turn with ",
      { option },
      ` costs ${shortUsd(row.cost.usd)} on average, of others in the same situation ${shortUsd(row.cost.otherUsd)}: ` +
        `${shortUsd(row.cost.excessUsd)} more in all (${comparedWords(row)}).${since}`,
    ]);
  if (row.group === "apart" || explains === null || ratio === null || rate === null || otherRate === null)
    return sentenceOf([
      { option },
      " was never chosen in the same situation as the others: it was not compared.",
    ]);
  if (row.group === "undecided" && row.experiment)
    return sentenceOf([
      "Runs that chose ",
      { option },
      ` ${words.did} more often in the same situation.${undecidedExperimentWords(row.experiment)}${since}`,
    ]);
  if (row.group === "undecided")
    return sentenceOf([
      "After ",
      { option },
      ` runs ${words.do} more often, and they are longer. Whether the choice or the length does it cannot be told.${since}`,
    ]);
  const explained = `explains ${shortCount(explains)} of ${shortCount(badRuns)} ${words.runs}.`;
  const partners = rows.filter(({ kind, step }) => kind === "chose" && row.togetherWith.includes(step));
  const together = partners.flatMap((partner, index) => [
    index === 0 ? " Some of them only together with " : " or ",
    { option: partner.option },
  ]);
  const ending = [...together, together.length > 0 ? "." : "", since];
  if (row.kind === "left-out")
    return sentenceOf([
      "Runs without ",
      { option },
      ` ${words.did} ${shortRatio(ratio)} times as often in the same situation. Leaving it out ${explained}`,
      ...ending,
    ]);
  const { experiment } = row;
  if (experiment && isHarmMeasured(experiment))
    return sentenceOf([{ option }, ` ${explained}${experimentWords(experiment, words.did)}`, ...ending]);
  return sentenceOf([
    { option },
    ` ${explained} In the same situation ${shortPercent(rate)} of runs that chose it ${words.did}, ` +
      `of others ${shortPercent(otherRate)} (${comparedWords(row)}).`,
    ...ending,
  ]);
}

const comparedWords = ({ comparable, decisions, clusters }: FindingItem) =>
  `${shortCount(comparable)} of ${shortCount(decisions)} choices comparable, ${shortCount(clusters)} sessions or single runs`;

/** An option that stands out in one way to count silent runs, and why that is no finding. */
function unclearSentence(
  { option, kind, refusal, holdsIn, readings }: FindingItem,
  { did }: (typeof BAD_RUN_WORDS)[Findings["lens"]],
): Sentence {
  const rates = holdsIn === null ? null : readings?.[holdsIn];
  const figures = rates ? ` (${shortPercent(rates.rate)}, of others ${shortPercent(rates.otherRate)})` : "";
  const more = ` ${did} more often${figures}`;
  const silenceGood = "if silence is good";
  const where = holdsIn === "answered" ? "only of those who answered" : `only ${silenceGood}`;
  const why =
    refusal === "oneSided"
      ? `${more}. ${ONE_SIDED}`
      : refusal === "few"
        ? `${more} ${silenceGood}. Not listed: of runs that were judged, fewer than 20 decisions can be compared on a side.`
        : `${more}, ${where}. Not listed: it may be made by who votes.`;
  return sentenceOf([kind === "left-out" ? "Runs without " : "Runs with ", { option }, why]);
}

/** Answered shares differ so much that the rates may be of other people. */
const UNEQUAL_ANSWERS = 1.5;

/** What has to be known of runs without a score: whether the difference depends on them, and whether one side answers more often. */
function silenceCaveats({ basis, answered, option, kind }: FindingItem): string[] {
  const caveats: string[] = [];
  if (basis === "readings")
    caveats.push("The difference holds whether silent runs are left out or taken for good.");
  if (answered && kind === "chose") {
    const { share, otherShare } = answered;
    const [small, large] = [Math.min(share, otherShare), Math.max(share, otherShare)];
    if (large > 0 && large >= UNEQUAL_ANSWERS * small)
      caveats.push(
        `Answered: ${shortPercent(share)} after ${option === "" ? "it" : option}, ${shortPercent(otherShare)} after others.`,
      );
  }
  return caveats;
}

/** What a reader of a row has to know: how strong a hidden reason would have to be, and whether anything was adjusted for. */
export function findingCaveats(row: FindingItem, { lens }: Pick<Findings, "lens">): string[] {
  const caveats = silenceCaveats(row);
  // What was drawn has no reason, hidden or not.
  if (row.experiment && isHarmMeasured(row.experiment)) return caveats;
  if (row.hiddenReason !== null) {
    const choice = row.kind === "left-out" ? "leaving it out" : "this choice";
    const { one } = BAD_RUN_WORDS[lens];
    const article = lens === "error" ? "an" : "a";
    caveats.push(
      `Only something that makes both ${choice} and ${article} ${one} ${row.hiddenReason.toFixed(1)} times as likely could explain this.`,
    );
  }
  if (!row.isAdjusted && row.group !== "unclear")
    caveats.push(
      "Not adjusted: nothing is known before this choice. Name a situation key, or let the SDK draw.",
    );
  return caveats;
}

/** What a list says, before its rows. */
export function findingsSummary(
  found: Pick<
    Findings,
    "countedRuns" | "standsFor" | "badRuns" | "abandonedRuns" | "chance" | "lens" | "rows"
  >,
): string {
  const { badRuns, abandonedRuns, chance, lens } = found;
  const worse = found.rows.filter(({ group }) => group === "worse").length;
  const explained = `${shortCount(badRuns - chance)} of ${shortCount(badRuns)} ${BAD_RUN_WORDS[lens].runs}`;
  const abandoned =
    lens === "failed" && abandonedRuns > 0 ? ` ${shortCount(abandonedRuns)} of these runs never ended.` : "";
  if (worse === 0) return `${noFindingsSentence(found)}${abandoned}`;
  return `${worse === 1 ? "1 option explains" : `${worse} options explain`} ${explained}.${abandoned}`;
}

/** What a list without a row of the group worse says. */
export function noFindingsSentence({
  countedRuns,
  standsFor,
  badRuns,
  lens,
}: Pick<Findings, "countedRuns" | "standsFor" | "badRuns" | "lens">): string {
  const { did, one, many } = BAD_RUN_WORDS[lens];
  if (countedRuns === 0) return "No run of this time range decided something and has ended.";
  const isSampled = Math.round(standsFor) > countedRuns;
  const runs =
    `${shortCount(countedRuns)} ${countedRuns === 1 ? "run" : "runs"}` +
    (isSampled ? `, which stand for ${shortCount(standsFor)},` : "");
  if (badRuns === 0) return `None of ${runs} ${did}.`;
  const bad = `${shortCount(badRuns)} ${Math.round(badRuns) === 1 ? one : many}`;
  if (countedRuns < FEW_RUNS)
    return `Nothing stands out in ${runs} with ${bad}. That is too few: faults that strike one in three choices are usually found in 300 runs.`;
  return (
    `Nothing stands out in ${runs} with ${bad}. Faults that strike one in three choices are usually found by now; ` +
    `rarer ones, and causes of less than a tenth of an agent's ${many}, are not.`
  );
}

/** What another lens would show. */
export const otherLensSentence = ({ lens, badRuns }: Findings["otherLenses"][number]): string =>
  `${shortCount(badRuns)} ${Math.round(badRuns) === 1 ? "run" : "runs"} ${BAD_RUN_WORDS[lens].did}.`;

/** The last line of a list, with which its rows add up to all bad runs. */
export function chanceSentence({
  chance,
  badRuns,
  lens,
}: Pick<Findings, "chance" | "badRuns" | "lens">): string {
  const { runs, many } = BAD_RUN_WORDS[lens];
  return (
    `No row explains ${shortCount(chance)} of ${shortCount(badRuns)} ${runs}: chance, ` +
    `or causes of less than a tenth of an agent's ${many}, which are not named.`
  );
}

/** What a note of a list means. */
export const FINDING_NOTES: Readonly<Record<Findings["notes"][number], string>> = {
  "open-runs": "More than 5 % of the runs are still open; they are not counted.",
  "unknown-sampling":
    "Some runs were sampled, and others by OpenTelemetry do not say what was kept: each of these counts as one.",
  "newest-runs": "Of each agent the newest 1,000 runs are counted.",
  "no-situation":
    "No situation key is named: what made an agent choose is known only by what it chose before.",
};
