import { chanceSentence, type FindingItem, type Findings, noFindingsSentence } from "@whytrace/contract";
import type { CountedSearch } from "../counted-search.ts";
import { ExplainsBar } from "./explains-bar.tsx";
import { FINDING_GRID, FindingRow } from "./finding-row.tsx";
import { wholeChance } from "./whole-chance.ts";

interface FindingListProps {
  found: Findings;
  search: CountedSearch;
}

/** Options that explain bad runs, then chance, so that all adds up; below them what could not be told or compared. */
export function FindingList({ found, search }: FindingListProps) {
  const ofGroup = (group: FindingItem["group"]) => found.rows.filter((row) => row.group === group);
  const rowsOf = (group: FindingItem["group"]) =>
    ofGroup(group).map((row) => (
      <FindingRow key={`${row.agent} ${row.kind} ${row.step}`} row={row} found={found} search={search} />
    ));
  const worse = rowsOf("worse");
  const undecided = rowsOf("undecided");
  const dearer = rowsOf("dearer");
  const unclear = rowsOf("unclear");
  const apart = rowsOf("apart");
  const chance = wholeChance(found);
  return (
    <>
      {worse.length === 0 ? (
        <p data-finding="none" className="max-w-[80ch] px-4 pb-3 pt-1">
          {noFindingsSentence(found)}
        </p>
      ) : (
        <ul aria-label="Options that explain bad runs" className="border-t border-line/60">
          {worse}
          <li data-finding="chance" className={`${FINDING_GRID} border-b border-line/60 text-muted`}>
            <ExplainsBar found={found} explains={chance} />
            <p className="max-w-[80ch]">{chanceSentence({ ...found, chance })}</p>
          </li>
        </ul>
      )}
      {undecided.length > 0 && (
        <>
          <h3 className="px-4 pt-2.5 text-xs font-semibold">Undecided</h3>
          <ul aria-label="Undecided">{undecided}</ul>
        </>
      )}
      {dearer.length > 0 && (
        <>
          <h3 className="px-4 pt-2.5 text-xs font-semibold">Costs more</h3>
          <ul aria-label="Costs more">{dearer}</ul>
        </>
      )}
      {unclear.length > 0 && (
        <>
          <h3 className="px-4 pt-2.5 text-xs font-semibold">No clear difference</h3>
          <ul aria-label="No clear difference">{unclear}</ul>
        </>
      )}
      {apart.length > 0 && (
        <details className="border-b border-line/60">
          <summary className="cursor-pointer px-4 py-2 text-xs max-sm:min-h-11">
            <span className="font-semibold">Not compared</span>{" "}
            <span className="text-muted">
              {apart.length} {apart.length === 1 ? "option was" : "options were"} never chosen in the same
              situation as the others
            </span>
          </summary>
          <ul aria-label="Not compared">{apart}</ul>
        </details>
      )}
    </>
  );
}
