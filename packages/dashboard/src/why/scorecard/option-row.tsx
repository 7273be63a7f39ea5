import { MIN_COMPARED_DECISIONS, type Scorecard, type ScorecardOption } from "@whytrace/contract";
import { formatCost, formatDuration } from "../../ui/format/format.ts";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { IntervalMark } from "../../ui/intervals/interval-mark.tsx";
import { QuantileMark } from "../../ui/intervals/quantile-mark.tsx";
import type { CountedSearch } from "../counted-search.ts";
import { countedTraces } from "../counted-traces.ts";
import { DecisionCount } from "../decision-count.tsx";
import { CELLS, OPTION_ROW } from "./option-cells.ts";
import { OptionSwatch } from "./option-swatch.tsx";
import { optionTint } from "./option-tint.ts";
import type { ScorecardScales } from "./scorecard-scales.ts";
import { VerdictCounts } from "./verdicts/verdict-counts.tsx";

interface OptionRowProps {
  card: Scorecard;
  search: CountedSearch;
  option: ScorecardOption;
  index: number;
  scales: ScorecardScales;
  isSelected: boolean;
  onSelect: () => void;
}

const LINK = "relative z-1 text-accent hover:underline max-xl:underline";
const whole = (share: number) => Math.round(share * 100);

/** What followed one option. A click on its name selects it, which shows its reasons. */
export function OptionRow({ card, search, option, index, scales, isSelected, onSelect }: OptionRowProps) {
  const { name, step, rate, offered, costUsd, durationMs, verdicts } = option;
  const traces = { ...countedTraces(card, search), step, about: name };
  const value = rate.decisions === 0 ? 0 : rate.failed / rate.decisions;
  const all = card.rate.decisions === 0 ? 0 : card.rate.failed / card.rate.decisions;
  const isFew = rate.decisions < MIN_COMPARED_DECISIONS;
  const span = `${whole(rate.low)} to ${whole(rate.high)}`;
  const share = rate.decisions / Math.max(1, card.decisions);
  return (
    <tr
      className={`${OPTION_ROW} first:border-t-0 hover:bg-panel xl:h-10.75 ${isSelected ? "bg-[color-mix(in_oklab,var(--color-accent)_8%,var(--color-bg))]" : ""}`}
    >
      <th scope="row" className={`${CELLS.option} text-left font-normal`}>
        <button
          type="button"
          aria-pressed={isSelected}
          onClick={onSelect}
          className="flex w-full min-w-0 items-center gap-2 text-left after:absolute after:inset-0"
        >
          <OptionSwatch index={index} />
          <span className="min-w-0">
            <span className="block truncate font-semibold leading-4.5" title={name}>
              {name}
            </span>
            <span className="block text-xs leading-4 text-muted">
              {index === 0 && card.options.length > 1 ? "chosen most" : ""}
            </span>
          </span>
        </button>
      </th>
      <td className={CELLS.offered}>{offered.toLocaleString("en")}</td>
      <td className={CELLS.chosen}>
        <span className="whitespace-nowrap tabular-nums">
          <DecisionCount
            decisions={rate.decisions}
            runs={rate.runs}
            traces={traces}
            className="relative z-1 font-semibold hover:underline"
          />{" "}
          <span className="text-muted">{formatPercent(share)}</span>
        </span>
        <span className="mt-1 block h-1 overflow-hidden rounded-sm bg-sunken max-xl:hidden">
          <span
            className="block h-full"
            style={{ width: `${share * 100}%`, backgroundColor: optionTint(index) }}
          />
        </span>
      </td>
      <td className={CELLS.plot}>
        {rate.decisions > 0 && (
          <IntervalMark
            value={value}
            low={rate.low}
            high={rate.high}
            scale={scales.rate}
            lineAt={all}
            isFew={isFew}
            label={`${formatPercent(value)} failed, ${span} %`}
            className="h-6.5 xl:h-10.75"
          />
        )}
      </td>
      <td className={CELLS.rate}>
        <span className="block whitespace-nowrap leading-4.5 max-xl:mr-2 max-xl:inline">
          <b className="font-semibold">{formatPercent(value)}</b> <span className="text-muted">{span}</span>
        </span>
        <span className="block whitespace-nowrap leading-4.5 max-xl:inline">
          <DecisionCount
            decisions={rate.failed}
            runs={rate.failedRuns}
            traces={{ ...traces, stepOutcome: "failed" }}
            what="failed"
            className={LINK}
          >
            {`${rate.failed.toLocaleString("en")} of ${rate.decisions.toLocaleString("en")}`}
          </DecisionCount>
          {rate.recovered > 0 && (
            <span className="text-muted">
              {" · "}
              <DecisionCount
                decisions={rate.recovered}
                runs={rate.recoveredRuns}
                traces={{ ...traces, stepOutcome: "recovered" }}
                what="recovered"
              >
                {`${rate.recovered.toLocaleString("en")} recovered`}
              </DecisionCount>
            </span>
          )}
        </span>
      </td>
      <td className={CELLS.cost}>
        <Distribution
          title="Cost after"
          quantiles={costUsd}
          scale={scales.cost}
          format={formatCost}
          width="w-16"
        />
      </td>
      <td className={CELLS.time}>
        <Distribution
          title="Time after"
          quantiles={durationMs}
          scale={scales.time}
          format={formatDuration}
          width="w-18"
        />
      </td>
      <td className={CELLS.verdicts}>
        <span className="w-18 pr-2 text-xs text-muted xl:hidden">Verdicts</span>
        <VerdictCounts {...verdicts} />
      </td>
    </tr>
  );
}

interface DistributionProps {
  title: string;
  quantiles: ScorecardOption["costUsd"];
  scale: ScorecardScales["cost"];
  format: (value: number) => string;
  width: string;
}

function Distribution({ title, quantiles, scale, format, width }: DistributionProps) {
  return (
    <span className="flex items-center">
      <span className="w-18 text-xs text-muted xl:hidden">{title}</span>
      <span className="min-w-0 flex-1">
        {quantiles && (
          <QuantileMark
            quantiles={quantiles}
            scale={scale}
            label={`${title}: median ${format(quantiles.p50)}, half between ${format(quantiles.p25)} and ${format(quantiles.p75)}, nine tenths between ${format(quantiles.p5)} and ${format(quantiles.p95)}`}
            className="h-7.5 xl:h-10.75"
          />
        )}
      </span>
      <span className={`${width} whitespace-nowrap text-right text-xs tabular-nums`}>
        {quantiles ? format(quantiles.p50) : <span className="text-muted">unknown</span>}
      </span>
    </span>
  );
}
