import type { Blame, Suspect } from "@whytrace/contract";
import type { ReactNode } from "react";
import { type CountedTraces, TraceCount } from "../../traces/trace-count.tsx";

interface SuspectEvidenceProps {
  blame: Blame;
  suspect: Suspect;
  counted: CountedTraces;
}

const LINK = "font-semibold text-text hover:underline";

/** How often this very error came, and what in the context tells failed from fine. */
export function SuspectEvidence({ blame, suspect, counted }: SuspectEvidenceProps) {
  const { sameError, clue, alternative, step, option } = suspect;
  const { fingerprint, name, message } = blame.error;
  const traces = (ofStep: string): CountedTraces => ({
    ...counted,
    step: ofStep,
    fingerprint,
    about: `${option}, ${message ?? name}`,
  });
  if (sameError.chosen === 0 && !clue) return null;
  return (
    <ul className="mt-1 grid gap-0.5 text-xs text-muted">
      {sameError.chosen > 0 && (
        <Evidence>
          This very error:{" "}
          <TraceCount
            traces={traces(step)}
            label={`${sameError.chosen} of ${sameError.chosenRuns} runs with this choice had this error`}
            className={LINK}
          >
            {sameError.chosen} of {sameError.chosenRuns}
          </TraceCount>{" "}
          runs
          {alternative && (
            <>
              {" "}
              against{" "}
              {sameError.alternative > 0 ? (
                <TraceCount
                  traces={traces(alternative.step)}
                  label={`${sameError.alternative} of ${sameError.alternativeRuns} runs with ${alternative.option} had this error`}
                  className={LINK}
                >
                  {sameError.alternative} of {sameError.alternativeRuns}
                </TraceCount>
              ) : (
                <span className="font-semibold text-text">0 of {sameError.alternativeRuns}</span>
              )}
            </>
          )}
        </Evidence>
      )}
      {clue && (
        <Evidence>
          <code className="break-words rounded bg-panel px-1 font-mono text-text">
            {clue.key} = {clue.value}
          </code>
          :{" "}
          <span className="font-semibold text-text">
            {clue.failed} of {clue.failedTotal}
          </span>{" "}
          failed,{" "}
          <span className="font-semibold text-text">
            {clue.fine} of {clue.fineTotal}
          </span>{" "}
          fine
        </Evidence>
      )}
    </ul>
  );
}

const Evidence = ({ children }: { children: ReactNode }) => (
  <li className="flex gap-1.5">
    <span aria-hidden="true">·</span>
    <span className="min-w-0">{children}</span>
  </li>
);
