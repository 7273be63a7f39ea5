import { FINDING_NOTES, type Findings } from "@whytrace/contract";
import type { CountedSearch } from "../counted-search.ts";
import { OutcomeNoteItems } from "../outcome-note-items.tsx";
import { ProgressNotice } from "../progress-notice.tsx";
import { leftOutOfFindings } from "./left-out-of-findings.ts";
import { OtherLenses } from "./other-lenses.tsx";

interface FindingsNotesProps {
  found: Findings;
  search: CountedSearch;
  onSituation: () => void;
}

/** What a reader of the list has to know about the runs that were counted. */
export function FindingsNotes({ found, search, onSituation }: FindingsNotesProps) {
  const { notes, abandonedRuns, progress, lens } = found;
  return (
    <>
      <ProgressNotice progress={progress} />
      <ul className="grid gap-0.5 px-4 pb-2 text-xs text-muted empty:hidden">
        {lens === "failed" && abandonedRuns > 0 && (
          <li>
            {abandonedRuns.toLocaleString("en")} of the failed runs never ended: nothing was received of them
            for an hour.
          </li>
        )}
        {found.otherLenses.length > 0 && (
          <li>
            <OtherLenses found={found} search={search} />
          </li>
        )}
        {search.release !== undefined && (
          <li>Findings are of all releases; only choices of the same release are compared.</li>
        )}
        <OutcomeNoteItems
          counted={{ ...found, runs: found.countedRuns + found.leftOut.runs }}
          tracesOf={leftOutOfFindings(found)}
        />
        {notes.map((note) => (
          <li key={note}>
            {FINDING_NOTES[note]}
            {note === "no-situation" && (
              <>
                {" "}
                <button
                  type="button"
                  onClick={onSituation}
                  className="text-accent hover:underline max-sm:min-h-6"
                >
                  Name situation keys
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
