import { type CountedOutcomes, outcomeNoteParts } from "@whytrace/contract";
import { type LeftOutTraces, OutcomeNoteItems } from "./outcome-note-items.tsx";

interface OutcomeNotesProps {
  counted: CountedOutcomes | undefined;
  tracesOf?: LeftOutTraces | undefined;
}

/** What a reader has to know of the outcomes that a page counts: what is left out, and what is being read again. */
export function OutcomeNotes({ counted, tracesOf }: OutcomeNotesProps) {
  if (!counted || outcomeNoteParts(counted).length === 0) return null;
  return (
    <ul
      aria-label="What is counted"
      className="grid gap-0.5 border-b border-line bg-panel px-4 py-2 text-xs text-muted"
    >
      <OutcomeNoteItems counted={counted} tracesOf={tracesOf} />
    </ul>
  );
}
