import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { paths } from "../paths.ts";
import { Dialog } from "../ui/controls/dialog.tsx";

const TERMS: [term: string, meaning: string][] = [
  [
    "Finding",
    "An option is named only if three things hold: in the same situation its runs go wrong more often, they go wrong more often per turn, and with all choices fitted together it explains bad runs. One in twenty lists, at most, names something by chance.",
  ],
  [
    "Same situation",
    "After the same choice, at a similar turn with about as many calls at once, in the same release and time, after as many errors, and with the same values of situation keys. Runs of a weekend, an incident or a bad hour of the day are compared with each other only.",
  ],
  ["Turn", "One answer of the model, with all calls that it makes at once. The first turn is turn 1."],
  [
    "Explains",
    "So many of the bad runs. With those of the other findings and with chance they are all bad runs; causes of less than a tenth of an agent's bad runs are never named.",
  ],
  [
    "Undecided",
    "Runs with the option go wrong more often and are longer, and which of both it is cannot be told.",
  ],
  [
    "No clear difference",
    "Not every run has a score. The option stands out only if silent runs are left out, or only if they are taken for good, so it may be made by who votes.",
  ],
  [
    "Not compared",
    "The option was never chosen in the same situation as others, so nothing can be said of it.",
  ],
  [
    "Failed",
    "Of findings: the run ended in an error, nothing came of it for an hour, or a condition on what is known of every run made it bad. In tables: an error or a bad score followed the choice, in the part of the run that it decided on, and the run is bad.",
  ],
  ["Recovered", "An error followed, but the run did not fail. Shown apart, never as failed."],
  ["Running", "Decisions of runs that have not ended are not counted."],
  [
    "Interval",
    "95 %, by run: decisions of one run go together and do not count as if they were independent.",
  ],
  [
    "Not cause",
    "An option may be chosen just when a case is hard. What was not recorded cannot be compared: name it as a situation key.",
  ],
  [
    "Days",
    "Whole days in UTC, by the time a run started. Each number of a table links to exactly the runs it counts.",
  ],
];

/** Says once on a page that the numbers show association, and opens an explanation of how they come about. */
export function HowCounted({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <p className="flex items-start gap-1.5 text-xs text-muted">
        <svg
          aria-hidden="true"
          viewBox="0 0 14 14"
          className="mt-0.5 size-3.5 shrink-0 fill-none stroke-current stroke-[1.4]"
        >
          <circle cx="7" cy="7" r="5.5" />
          <path d="M7 6.5v3.2M7 4.3v.1" strokeLinecap="round" />
        </svg>
        <span>
          {children}{" "}
          <button
            type="button"
            className="text-accent hover:underline max-sm:min-h-6"
            onClick={() => setIsOpen(true)}
          >
            How this is counted
          </button>
        </span>
      </p>
      <Dialog title="How this is counted" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[7rem_minmax(0,1fr)]">
          {TERMS.map(([term, meaning]) => (
            <div key={term} className="contents">
              <dt className="font-semibold">{term}</dt>
              <dd className="max-sm:pb-1">{meaning}</dd>
            </div>
          ))}
        </dl>
        <p className="text-muted">
          <Link to={paths.whyGuide} className="text-accent underline">
            Every figure, with an example
          </Link>{" "}
          ·{" "}
          <Link to={paths.words} className="text-accent underline">
            What words mean
          </Link>{" "}
          ·{" "}
          <a href="/docs/api" className="text-accent underline">
            The same numbers in the API
          </a>
        </p>
      </Dialog>
    </>
  );
}
