import type { WhyList, WhyRow } from "@whytrace/contract";
import { useDeferredValue } from "react";
import { pickCounted } from "../counted-search.ts";
import { countedTraces } from "../counted-traces.ts";
import { sortRows } from "../sort-rows.ts";
import { AsideRows } from "./aside-rows.tsx";
import { DecisionRow } from "./decision-row.tsx";
import { OptionLine } from "./option-line.tsx";
import { COLUMNS } from "./why-columns.ts";
import { DEFAULT_SORT, type WhySearch } from "./why-search.ts";

interface WhyTableProps {
  list: WhyList;
  rows: readonly WhyRow[];
  search: WhySearch;
  onAside: () => void;
}

/** More than are visible at first. */
const FIRST_ROWS = 30;

/** All decisions. Rows overlap, because one run has many decisions, so there is no total. */
export function WhyTable({ list, rows, search, onAside }: WhyTableProps) {
  const shared = {
    search: pickCounted(search),
    counted: countedTraces(list, search),
    releases: list.agent === null ? [] : list.releases,
  };
  const sorted = sortRows(rows, search.sort ?? DEFAULT_SORT);
  // The first rows are painted at once; hundreds of others follow while the page already answers.
  const painted = useDeferredValue(sorted.length, FIRST_ROWS);
  const rowsOf = (isAside: boolean) =>
    sorted
      .filter((row) => row.isAside === isAside)
      .map((row) => <DecisionRow key={row.signature} row={row} {...shared} />);
  const aside = rowsOf(true);
  return (
    <table className="w-full table-fixed border-collapse max-lg:block">
      <WhyHead />
      <tbody className="max-lg:block">{rowsOf(false).slice(0, painted)}</tbody>
      {aside.length > 0 && (
        <AsideRows count={aside.length} isUnfolded={search.aside !== undefined} onToggle={onAside}>
          {aside}
        </AsideRows>
      )}
    </table>
  );
}

const HEAD = "text-xs font-medium text-muted";

/** The header of the table. */
export function WhyHead() {
  return (
    <>
      <colgroup className="max-lg:hidden">
        <col className="w-56" />
        <col />
        <col className="w-32" />
        <col className="w-64 max-xl:hidden" />
        <col className="w-22" />
      </colgroup>
      <thead className="border-b border-line bg-panel max-lg:sr-only">
        <tr className="h-11 text-left">
          <th scope="col" className={`${COLUMNS.decision} ${HEAD}`}>
            Decision
          </th>
          <th scope="col" className={`${COLUMNS.options} ${HEAD}`}>
            <OptionLine name="chosen most" isChosen />
            <OptionLine name="next" />
          </th>
          <th scope="col" className={`${COLUMNS.rate} ${HEAD}`}>
            Failed after
          </th>
          <th scope="col" className={`${COLUMNS.shares} ${HEAD}`}>
            Share of choices, by day
          </th>
          <th scope="col" className={`${COLUMNS.decided} ${HEAD}`}>
            Decided
          </th>
        </tr>
      </thead>
    </>
  );
}
