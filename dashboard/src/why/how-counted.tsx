import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { paths } from "../paths.ts";
import { Dialog } from "../ui/dialog.tsx";

const TERMS: [term: string, meaning: string][] = [
  [
    "Failed",
    "An error followed the choice, in the part of the run that it decided on, and the run ended in an error. After a retry or an escalation, which answer an error, the end of the run alone counts.",
  ],
  ["Recovered", "An error followed, but the run did not fail. Shown apart, never as failed."],
  ["Running", "Decisions of runs that have not ended are not counted."],
  ["Best", "Of the alternatives chosen 20 times or more, the one with the lowest upper end of its interval."],
  [
    "Above it",
    "How many fewer failures, or dollars, there would have been if runs after the option had gone as those after the best alternative.",
  ],
  [
    "Interval",
    "95 %, by run: decisions of one run go together and do not count as if they were independent.",
  ],
  [
    "Worse",
    "The difference holds when all comparisons of the page are tested together, so that at most one in twenty listed is there by chance.",
  ],
  [
    "Fewer than 20",
    "Rates are shown, hollow and dashed, but not compared. Silence means nothing there: a doubled failure rate shows after about 1,600 decisions, a fivefold one after about 150.",
  ],
  [
    "Not cause",
    "An option may be chosen just when a case is hard. “Like with like” compares runs that decided the same before; it cannot see what was not recorded.",
  ],
  ["Days", "Whole days in UTC, by the time a run started. Each number links to exactly the runs it counts."],
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
          <a href="/docs/api" className="text-accent underline">
            The same numbers in the API
          </a>
        </p>
      </Dialog>
    </>
  );
}
