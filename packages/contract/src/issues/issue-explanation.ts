import { NO_DECISION, tooFewRunsSentence } from "../insights/few-runs.ts";
import { shortCount, shortPercent } from "../insights/short-numbers.ts";
import type { Issue, UnexplainedReason } from "../schemas/issues/issues.ts";

type Explained = Pick<Issue, "likely" | "unexplained">;

const SHORT: Readonly<Record<UnexplainedReason, string>> = {
  pending: "not explained yet",
  "too-few-runs": "too few runs yet",
  varies: "no single decision",
  none: "no decision explains it",
};
const PENDING = { reason: "pending", comparedRuns: 0, badRuns: 0 } as const;

/** Why an issue has no likely decision, in a cell of a table. It has no text of a trace. */
export const unexplainedWords = ({ unexplained }: Explained): string =>
  SHORT[(unexplained ?? PENDING).reason];

/** Why an issue has no likely decision, in a sentence. It has no text of a trace. */
export function unexplainedSentence({ unexplained }: Explained): string {
  const { reason, ...compared } = unexplained ?? PENDING;
  if (reason === "too-few-runs") return tooFewRunsSentence(compared);
  if (reason === "varies")
    return "No single decision explains most of its newest runs. The page of each run says what explains that run.";
  return reason === "pending" ? "It is not explained yet." : NO_DECISION;
}

/** What an issue is explained by, with both rates. `nameOf` shows the name of an option, which is text of a trace. */
export function explanationSentence(
  issue: Explained,
  nameOf: (option: string) => string = (option) => option,
): string {
  const { likely } = issue;
  if (!likely) return unexplainedSentence(issue);
  const { word, option, alternative, chosen, alternativeRate } = likely;
  const better = alternative === null ? "" : `; a run that went well chose ${nameOf(alternative)}`;
  const rates =
    chosen.decisions === 0 || alternativeRate === null
      ? ""
      : ` In the same situation ${shortPercent(chosen.failed / chosen.decisions)} of ${shortCount(chosen.decisions)} choices of it ended in ` +
        `a bad run, of others ${shortPercent(alternativeRate)}.`;
  return `${word === "likely" ? "Likely" : "Possible"}: ${nameOf(option)}${better}.${rates}`;
}
