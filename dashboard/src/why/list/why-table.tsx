import { WHY_GROUPS, type WhyGroup, type WhyList, type WhyRow } from "@whytrace/contract";
import { IntervalAxis } from "../../ui/interval-axis.tsx";
import { type IntervalScale, linearScale } from "../../ui/interval-scale.ts";
import { pickCounted } from "../counted-search.ts";
import { countedTraces } from "../counted-traces.ts";
import { sortRows, type WhySort } from "../sort-rows.ts";
import { ComparedRow } from "./compared-row.tsx";
import { FewRow } from "./few-row.tsx";
import { OptionLine } from "./option-line.tsx";
import { COLUMN_COUNT, COLUMNS } from "./why-columns.ts";
import { WhyGroupRows } from "./why-group.tsx";
import { isUnfolded, type WhySearch } from "./why-search.ts";

interface WhyTableProps {
  list: WhyList;
  rows: readonly WhyRow[];
  search: WhySearch;
  onToggle: (group: WhyGroup) => void;
}

const SORTED_BY: Record<WhySort, string> = {
  failures: "by the lower end of the interval",
  cost: "by the lower end of the cost above",
  drift: "by how far the share changed",
  decided: "by decisions",
};

/** All decisions, in groups. Rows overlap, because one run has many decisions, so there is no total. */
export function WhyTable({ list, rows, search, onToggle }: WhyTableProps) {
  const { sort = "failures", toggled } = search;
  const scale = scaleOf(rows);
  const hints: Record<WhyGroup, string> = {
    worse: `${SORTED_BY[sort]}; holds with all ${list.comparisons.toLocaleString("en")} comparisons tested together`,
    unclear: "the interval spans zero, or it fails the joint test",
    few: "a comparison needs 20 on each side",
    aside: "what the request decides, not the agent",
  };
  const firstCompared = WHY_GROUPS.find((group) =>
    rows.some((row) => row.group === group && row.comparison !== null),
  );
  const shared = { search: pickCounted(search), counted: countedTraces(list, search) };
  return (
    <table className="w-full table-fixed border-collapse max-xl:block">
      <WhyHead scale={scale} />
      {WHY_GROUPS.map((group) => {
        const members = sortRows(
          rows.filter((row) => row.group === group),
          sort,
        );
        if (members.length === 0) return null;
        return (
          <WhyGroupRows
            key={group}
            group={group}
            count={members.length}
            hint={hints[group]}
            isUnfolded={isUnfolded(toggled, group)}
            onToggle={() => onToggle(group)}
          >
            {group === firstCompared && <PhoneAxis scale={scale} />}
            {members.map((row) =>
              row.comparison ? (
                <ComparedRow
                  key={row.signature}
                  row={row}
                  comparison={row.comparison}
                  scale={scale}
                  releases={list.agent === null ? [] : list.releases}
                  {...shared}
                />
              ) : (
                <FewRow key={row.signature} row={row} {...shared} />
              ),
            )}
          </WhyGroupRows>
        );
      })}
    </table>
  );
}

const scaleOf = (rows: readonly WhyRow[]) =>
  linearScale(
    rows.flatMap(({ comparison }) => (comparison ? [comparison.failures.low, comparison.failures.high] : [])),
    { isInteger: true },
  );

const HEAD = "text-xs font-medium text-muted";

const formatTick = (value: number) => value.toLocaleString("en").replace("-", "−");

/** On narrow screens, the axis that all marks share stands above the first of them. */
function PhoneAxis({ scale }: { scale: IntervalScale }) {
  return (
    <tr className="block xl:hidden">
      <td colSpan={COLUMN_COUNT} className="block px-4 pt-2 text-xs text-muted">
        Failures above the best alternative
        <IntervalAxis scale={scale} format={formatTick} isFlush />
      </td>
    </tr>
  );
}

/** The header of the table. */
export function WhyHead({ scale }: { scale: IntervalScale }) {
  return (
    <>
      <colgroup className="max-xl:hidden">
        <col className="w-40" />
        <col />
        <col className="w-29" />
        <col className="w-[22%]" />
        <col className="w-22" />
        <col className="w-27" />
        <col className="w-49" />
        <col className="w-18" />
      </colgroup>
      <thead className="border-b border-line bg-panel max-xl:sr-only">
        <tr className="h-11 text-left">
          <th scope="col" className={`${COLUMNS.decision} ${HEAD}`}>
            Decision
          </th>
          <th scope="col" className={`${COLUMNS.options} ${HEAD}`}>
            <OptionLine name="chosen" isChosen />
            <OptionLine name="best alternative" />
          </th>
          <th scope="col" className={`${COLUMNS.rate} ${HEAD}`}>
            Failed after
          </th>
          <th scope="col" className={`${COLUMNS.plot} ${HEAD}`}>
            <span className="block whitespace-nowrap">Failures above the best alternative</span>
            <IntervalAxis scale={scale} format={formatTick} />
          </th>
          <th scope="col" className={`${COLUMNS.failures} ${HEAD}`}>
            <span className="sr-only">Failures above</span>
          </th>
          <th scope="col" className={`${COLUMNS.cost} ${HEAD}`}>
            Cost above
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
