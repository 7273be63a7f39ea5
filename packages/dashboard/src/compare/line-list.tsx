import type { ComparedLine, Comparison } from "@whytrace/contract";
import { type ReactNode, useState } from "react";
import { Button } from "../ui/controls/button.tsx";
import { LineRow } from "./line-row.tsx";
import { foldLines } from "./model/fold-lines.ts";
import { OutcomeRow } from "./outcome-row.tsx";

interface LineListProps {
  comparison: Comparison;
  /** The id of a decision of the first run that is suspected. */
  suspectId: string | undefined;
  isFolded: boolean;
  onUnfold: () => void;
  /** The first divergence, opened. */
  divergence: ReactNode;
}

/** Thousands of rows would make the page slow. */
const LINES_AT_ONCE = 500;

/** All lines of both runs, and how they ended. */
export function LineList({ comparison, suspectId, isFolded, onUnfold, divergence }: LineListProps) {
  const isSuspect = ({ a }: ComparedLine) => suspectId !== undefined && a?.id === suspectId;
  const [maxLines, setMaxLines] = useState(() => {
    const suspect = comparison.lines.findIndex(isSuspect);
    return Math.ceil((suspect + 1) / LINES_AT_ONCE) * LINES_AT_ONCE || LINES_AT_ONCE;
  });
  const lines = foldLines(comparison.lines, isFolded);
  const hidden = lines.length - maxLines;
  return (
    <>
      <ol aria-label="Decisions of both runs">
        {lines.slice(0, maxLines).map((shown) =>
          "folded" in shown ? (
            <li key={shown.number} className="border-b border-line/60">
              <button
                type="button"
                onClick={onUnfold}
                className="min-h-7 w-full pl-11 text-left text-xs text-muted hover:bg-panel max-md:min-h-9 max-md:pl-8"
              >
                <span aria-hidden="true">⋯ </span>
                {shown.folded === 1 ? "1 decision is the same" : `${shown.folded} decisions are the same`}
              </button>
            </li>
          ) : shown.number === (comparison.divergence?.line ?? -1) + 1 ? (
            divergence
          ) : (
            <LineRow
              key={shown.number}
              line={shown.line}
              number={shown.number}
              isSuspect={isSuspect(shown.line)}
              aId={comparison.a.id}
              bId={comparison.b.id}
            />
          ),
        )}
        {hidden <= 0 && <OutcomeRow comparison={comparison} />}
      </ol>
      {hidden > 0 && (
        <div className="p-4">
          <Button onClick={() => setMaxLines(maxLines + LINES_AT_ONCE)}>
            Show {Math.min(LINES_AT_ONCE, hidden).toLocaleString("en")} of {hidden.toLocaleString("en")} more
          </Button>
        </div>
      )}
      {comparison.isTruncated && (
        <p className="px-4 pb-4 text-muted">
          A run has very many decisions. Only the first ones were compared.
        </p>
      )}
    </>
  );
}
