/** What newcomers ask about the words on the pages. `docs/words.md` has the same answers, with examples. */
export const WORDS = {
  signature:
    "How Whytrace recognises the same decision in other runs: by its type and the options it could choose from, or, if they were not sent, the spans around it. Choices with the same signature are compared.",
  step: "One option of one decision: this choice at this point, the same in all runs that chose it. Lists of traces can be filtered by a step.",
  place:
    "Where in a run something is: the run itself, a span or a decision. The place of a decision whose alternatives were not sent is the spans around it.",
  situation:
    "What is known right before a choice: the choice before it, the turn, the release, the time, the errors so far and your situation keys. Only choices in the same situation are compared.",
  suspect:
    "An option that was chosen, or left out, before a run went wrong, and after which such runs go wrong clearly more often than after other options in the same situation. Not a proof.",
  outcome:
    "Whether a run counts as good or bad. A definition decides it by the status, by scores and by what else is known of the run; the review of a member comes before it. Open: it is still running. Unknown: nobody said anything.",
  lens: "Which runs are called bad while causes are looked for: those that failed, those with any error, or those that a score calls bad.",
  reading:
    "A way to count runs about which nobody said anything: leave them out, or take them for good. A difference that only one of both readings shows may come from who votes.",
  release:
    "The version of an agent, as its traces name it: a tag such as release:2.3 or v2.3.1, or service.version of OpenTelemetry.",
  judge:
    "A model or a program that estimates how good a run was, and sends it as a score. It can be wrong, so its page says how often people agree with it.",
} as const;

export type Word = keyof typeof WORDS;
