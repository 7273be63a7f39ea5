import { type CountedOutcomes, type LeftOut, outcomeNoteParts } from "@whytrace/contract";
import { type CountedTraces, TraceCount } from "../traces/trace-count.tsx";

/** Finds the traces that are left out for what they miss; undefined if the list of traces has no filter for exactly them. */
export type LeftOutTraces = (missing: LeftOut["missing"][number] | null) => CountedTraces | undefined;

interface OutcomeNoteItemsProps {
  counted: CountedOutcomes;
  tracesOf?: LeftOutTraces | undefined;
}

/** The notes on outcomes as items of a list. What is left out links to its traces. */
export function OutcomeNoteItems({ counted, tracesOf = () => undefined }: OutcomeNoteItemsProps) {
  return outcomeNoteParts(counted).map((parts) => (
    <li key={parts.map(({ text }) => text).join("")} className="max-w-[80ch]">
      {parts.map(({ text, leftOut }) => {
        const traces = leftOut === undefined ? undefined : tracesOf(leftOut);
        if (!traces) return text;
        return (
          <TraceCount key={text} traces={traces} className="text-accent underline max-sm:leading-6">
            {text}
          </TraceCount>
        );
      })}
    </li>
  ));
}
