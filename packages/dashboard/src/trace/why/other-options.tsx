import type { Suspect } from "@whytrace/contract";
import { typeLabel } from "../../ui/badges.tsx";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { DecisionIcon } from "../../ui/node-icons.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";

interface OtherOptionsProps {
  /** Options that nothing speaks against, the likeliest cause first. */
  suspects: readonly Suspect[];
  /** Whether others come before them. */
  hasSuspects: boolean;
  onOpen: (suspect: Suspect) => void;
}

const PREVIEWED = 3;

/** The other options that were chosen, in their order, folded. */
export function OtherOptions({ suspects, hasSuspects, onOpen }: OtherOptionsProps) {
  if (suspects.length === 0) return null;
  const preview = suspects.slice(0, PREVIEWED).map(({ option }) => option);
  return (
    <details className="border-b border-line">
      <summary className="cursor-pointer truncate px-4 py-2 max-sm:min-h-11">
        {hasSuspects ? "Nothing speaks against:" : "In order, the likeliest first:"}{" "}
        <span className="text-muted">
          {preview.join(", ")}
          {suspects.length > preview.length && ", …"}
        </span>
      </summary>
      <ol className="px-4 pb-2">
        {suspects.map((suspect) => (
          <li key={`${suspect.kind} ${suspect.step}`} style={tintedStyle(suspect.type)}>
            <button
              type="button"
              disabled={suspect.decisionPointId === null}
              onClick={() => onOpen(suspect)}
              className="-mx-2 flex min-h-7 w-[calc(100%+1rem)] items-center gap-2 rounded px-2 text-left enabled:hover:bg-panel max-sm:min-h-11"
            >
              <DecisionIcon />
              <span className="min-w-0 truncate">
                <span className="font-medium">{typeLabel(suspect.type)}</span>{" "}
                <span className="text-muted">
                  {suspect.kind === "left-out" && "left out "}
                  {suspect.option}
                </span>
              </span>
              <span className="ml-auto shrink-0 text-xs text-muted">{figuresOf(suspect)}</span>
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** The shares of bad runs with the option and with others in the same situation. */
const figuresOf = ({ rate, otherRate }: Suspect) =>
  rate === null || otherRate === null
    ? "not compared"
    : `${formatPercent(rate)} / ${formatPercent(otherRate)}`;
