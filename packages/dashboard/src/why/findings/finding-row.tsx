import { BAD_RUN_WORDS, type FindingItem, type Findings, findingCaveats } from "@whytrace/contract";
import { TraceCount } from "../../traces/trace-count.tsx";
import { TypeBadge } from "../../ui/badges.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import type { CountedSearch } from "../counted-search.ts";
import { badTracesOf, chosenTraces } from "./bad-traces.ts";
import { ExplainsBar } from "./explains-bar.tsx";
import { FindingText } from "./finding-text.tsx";

interface FindingRowProps {
  row: FindingItem;
  found: Findings;
  search: CountedSearch;
}

/** A row of findings: the part that is drawn as a bar, and the words. */
export const FINDING_GRID =
  "grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 px-4 py-2.5 max-md:grid-cols-[minmax(0,1fr)]";
const ACTIVE =
  "focus-within:bg-[color-mix(in_oklab,var(--color-accent)_6%,var(--color-bg))] focus-within:shadow-[inset_3px_0_var(--color-accent)]";

/** A finding in words, what would have to be true for it to be wrong, and ways to the runs behind it. */
export function FindingRow({ row, found, search }: FindingRowProps) {
  const { group, kind, explains, type, agent, place } = row;
  const caveats = group === "worse" || group === "unclear" ? findingCaveats(row, found) : [];
  const bad = capitalized(BAD_RUN_WORDS[found.lens].runs);
  return (
    <li
      data-finding={group}
      className={`${FINDING_GRID} ${ACTIVE} border-b border-line/60`}
      style={tintedStyle(type)}
    >
      {group === "worse" && explains !== null ? (
        <ExplainsBar found={found} explains={explains} row={row} />
      ) : (
        <span className="max-md:hidden" />
      )}
      <div className="grid min-w-0 gap-1 [&>:not(:last-child)]:max-w-[80ch]">
        <FindingText row={row} found={found} search={search} />
        {caveats.length > 0 && <p className="text-xs text-muted">{caveats.join(" ")}</p>}
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-xs">
          <TypeBadge type={type} />
          {(found.agent === null || place !== null) && (
            <span className="text-muted">
              {[place, found.agent === null && agent !== place && agent].filter(Boolean).join(" · ")}
            </span>
          )}
          {row.isObserved && (
            <span className="text-muted" title="No alternatives were sent with these decisions">
              only seen when chosen
            </span>
          )}
          {kind === "chose" ? (
            <>
              {group !== "dearer" && (
                <TraceCount traces={badTracesOf(found, row)} className={LINK}>
                  {bad} that chose it
                </TraceCount>
              )}
              <TraceCount traces={chosenTraces(found, row)} className={LINK}>
                All runs that chose it
              </TraceCount>
            </>
          ) : (
            <TraceCount traces={badTracesOf(found, row)} className={LINK}>
              {bad} of the agent
            </TraceCount>
          )}
        </p>
      </div>
    </li>
  );
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const LINK = "text-accent hover:underline max-sm:inline-flex max-sm:min-h-6 max-sm:items-center";
