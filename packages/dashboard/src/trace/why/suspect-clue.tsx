import type { ContextClue } from "@whytrace/contract";
import { MaskedText } from "../masked/masked-text.tsx";

/** What in the context of the decision tells runs that failed from those that were fine. */
export function SuspectClue({
  clue: { key, value, failed, failedTotal, fine, fineTotal },
}: {
  clue: ContextClue;
}) {
  return (
    <p className="mt-1 text-xs text-muted">
      <code className="break-words rounded bg-panel px-1 font-mono text-text">
        {key} = <MaskedText text={value} />
      </code>{" "}
      in{" "}
      <span className="font-semibold text-text">
        {failed} of {failedTotal}
      </span>{" "}
      that failed,{" "}
      <span className="font-semibold text-text">
        {fine} of {fineTotal}
      </span>{" "}
      that did not
    </p>
  );
}
