import { Link } from "@tanstack/react-router";
import type { RunOutcome, Score } from "@whytrace/contract";
import { omitEmpty } from "../../client/search-params.ts";
import { paths } from "../../paths.ts";
import { OUTCOME_LABELS } from "../../scores/outcome-words.ts";
import { isReview } from "../../scores/save-review.ts";
import type { ScoreTone } from "../../scores/score-words.ts";
import { ToneIcon } from "../../scores/tone-icon.tsx";

const TONES: Readonly<Record<RunOutcome["outcome"], ScoreTone>> = {
  good: "good",
  bad: "bad",
  unknown: "neutral",
  open: "neutral",
};

/** How the run is judged, by which definition, and why. */
export function OutcomeSummary({ judged, scores }: { judged: RunOutcome; scores: readonly Score[] }) {
  const { outcome, definition } = judged;
  return (
    <section aria-label="Outcome" className="-mx-4 -mt-1 mb-3 grid gap-1.5 border-b border-line px-4 pb-3">
      <p className="flex items-center gap-2">
        <span aria-hidden="true" className="inline-flex">
          <ToneIcon tone={TONES[outcome]} />
        </span>
        <span className="min-w-0">
          <b className="font-semibold">{OUTCOME_LABELS[outcome]}</b>{" "}
          <Link
            to={paths.outcomes}
            search={omitEmpty({ agent: definition.agent ?? undefined })}
            title="See and change what counts as bad"
            className="break-words text-muted underline-offset-2 hover:underline"
          >
            {describeDefinition(definition)}
          </Link>
        </span>
      </p>
      <p className="break-words text-xs text-muted">{explain(judged, scores)}</p>
    </section>
  );
}

function describeDefinition({ agent, version }: RunOutcome["definition"]): string {
  if (version === 0) return "by the built-in definition";
  return `by version ${version} for ${agent ?? "all agents"}`;
}

const NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function explain({ outcome, reasons, missing }: RunOutcome, scores: readonly Score[]): string {
  if (outcome === "open") return "The run has not ended. It is judged when it has.";
  if (outcome === "unknown") return `Missing: ${missing.join(", ")}.`;
  if (outcome === "good")
    return scores.some(isReview) ? "A review decides, whatever else is known." : "No condition is true.";
  const review = reasons.find(({ condition }) => condition === "review");
  const conditions = reasons.filter((reason) => reason !== review);
  const count = new Set(conditions.map(({ condition }) => condition)).size;
  const number = NUMBERS[count] ?? String(count);
  const texts = conditions.map(({ text }) => lowerFirst(text)).join("; ");
  const found = `${number} ${count === 1 ? "condition is" : "conditions are"} true: ${texts}.`;
  return [review && `${review.text}.`, count > 0 && found].filter(Boolean).join(" ");
}
