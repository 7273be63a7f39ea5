import type { Suspect } from "@whytrace/contract";
import { typeLabel } from "../../ui/badges.tsx";
import { formatPercent } from "../../ui/format-percent.ts";
import { DecisionIcon } from "../../ui/node-icons.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import { isFew, shareOf } from "./failure-lift.ts";

interface OtherDecisionsProps {
  /** Decisions after which the error is not likelier. */
  suspects: readonly Suspect[];
  /** How many there are, including those that were not returned. */
  count: number;
  onOpen: (suspect: Suspect) => void;
}

const PREVIEWED = 3;

export function OtherDecisions({ suspects, count, onOpen }: OtherDecisionsProps) {
  if (count === 0) return null;
  const preview = suspects.slice(0, PREVIEWED).map(({ option }) => option);
  return (
    <details className="border-b border-line">
      <summary className="cursor-pointer truncate px-4 py-2 max-sm:min-h-11">
        Not suspected {count.toLocaleString("en")}{" "}
        <span className="text-muted">
          {preview.join(", ")}
          {count > preview.length && ", …"}
        </span>
      </summary>
      <ul className="px-4 pb-2">
        {suspects.map((suspect) => (
          <li key={suspect.decisionPointId} style={tintedStyle(suspect.type)}>
            <button
              type="button"
              onClick={() => onOpen(suspect)}
              className="-mx-2 flex min-h-7 w-[calc(100%+1rem)] items-center gap-2 rounded px-2 text-left hover:bg-panel max-sm:min-h-11"
            >
              <DecisionIcon />
              <span className="min-w-0 truncate">
                <span className="font-medium">{typeLabel(suspect.type)}</span>{" "}
                <span className="text-muted">{suspect.option}</span>
              </span>
              <span className="ml-auto shrink-0 text-xs text-muted">{reasonOf(suspect)}</span>
            </button>
          </li>
        ))}
        {count > suspects.length && (
          <li className="pt-1 text-xs text-muted">
            {(count - suspects.length).toLocaleString("en")} more in the tree
          </li>
        )}
      </ul>
    </details>
  );
}

/** Why a decision is not suspected, in few words. */
export function reasonOf({ chosen, alternative }: Suspect): string {
  if (!alternative) return "no alternative was chosen";
  if (isFew(chosen) || isFew(alternative.rate)) return "too few";
  return `${formatPercent(shareOf(chosen))} / ${formatPercent(shareOf(alternative.rate))}`;
}
