import type { Scorecard } from "@whytrace/contract";
import { formatCost } from "../../ui/format/format.ts";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { formatRoundDuration } from "../../ui/format/round-duration.ts";
import { IntervalAxis } from "../../ui/intervals/interval-axis.tsx";
import type { CountedSearch } from "../counted-search.ts";
import { NeverChosenRow } from "./never-chosen-row.tsx";
import { CELLS } from "./option-cells.ts";
import { OptionRow } from "./option-row.tsx";
import { scorecardScales } from "./scorecard-scales.ts";

interface OptionTableProps {
  card: Scorecard;
  search: CountedSearch;
  /** The step of the selected option. */
  selected: string | undefined;
  onSelect: (step: string) => void;
}

const HEAD = "text-xs font-medium text-muted";
const Head = ({ title, note }: { title: string; note: string }) => (
  <span className="flex justify-between gap-2 whitespace-nowrap">
    {title} <span className="font-normal">{note}</span>
  </span>
);

/** What followed each option: failures, cost and time. */
export function OptionTable({ card, search, selected, onSelect }: OptionTableProps) {
  const scales = scorecardScales(card);
  const { rate } = card;
  const all = `- - all ${formatPercent(rate.decisions === 0 ? 0 : rate.failed / rate.decisions)}`;
  return (
    <table className="w-full table-fixed border-collapse max-xl:block">
      <colgroup className="max-xl:hidden">
        <col />
        <col className="w-16" />
        <col className="w-24" />
        <col className="w-[15%]" />
        <col className="w-43" />
        <col className="w-35" />
        <col className="w-38" />
        <col className="w-20" />
      </colgroup>
      <thead className="border-b border-line bg-panel max-xl:sr-only">
        <tr className="h-10.5 text-left">
          <th scope="col" className={`${CELLS.option} ${HEAD}`}>
            Option
          </th>
          <th scope="col" className={`${CELLS.offered} ${HEAD}`}>
            Offered
          </th>
          <th scope="col" className={`${CELLS.chosen} ${HEAD}`}>
            Chosen
          </th>
          <th scope="col" className={`${CELLS.plot} ${HEAD}`}>
            <span className="whitespace-nowrap">Failed after, 95 % interval</span>
            <IntervalAxis scale={scales.rate} format={(value) => String(Math.round(value * 100))} />
          </th>
          <th scope="col" className={`${CELLS.rate} ${HEAD} pb-4!`}>
            <span className="whitespace-nowrap font-normal">{all}</span>
          </th>
          <th scope="col" className={`${CELLS.cost} ${HEAD}`}>
            <Head title="Cost after it" note="median" />
            <span className="block pr-16">
              <IntervalAxis scale={scales.cost} format={formatCostTick} />
            </span>
          </th>
          <th scope="col" className={`${CELLS.time} ${HEAD}`}>
            <Head title="Time after it" note="median" />
            <span className="block pr-18">
              <IntervalAxis scale={scales.time} format={formatRoundDuration} />
            </span>
          </th>
          <th scope="col" className={`${CELLS.verdicts} ${HEAD}`}>
            Verdicts
          </th>
        </tr>
      </thead>
      <tbody className="max-xl:block">
        <tr className="block px-4 pt-2 text-xs text-muted xl:hidden">
          <td className="block">
            <span className="flex justify-between">
              <span>Failed after, 95 % interval</span>
              <span>{all}</span>
            </span>
            <IntervalAxis scale={scales.rate} format={formatPercent} isFlush />
          </td>
        </tr>
        {card.options.map((option, index) => (
          <OptionRow
            key={option.step}
            card={card}
            search={search}
            option={option}
            index={index}
            scales={scales}
            isSelected={option.step === selected}
            onSelect={() => onSelect(option.step)}
          />
        ))}
        {card.neverChosen.map((name) => (
          <NeverChosenRow
            key={name}
            name={name}
            offered={Math.max(...card.options.map(({ offered }) => offered))}
          />
        ))}
      </tbody>
    </table>
  );
}

const formatCostTick = (usd: number) =>
  usd === 0
    ? "$0"
    : formatCost(usd)
        .replace(/(\.\d*?)0+$/, "$1")
        .replace(/\.$/, "");
