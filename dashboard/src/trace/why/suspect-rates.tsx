import type { Rate, Suspect } from "@whytrace/contract";
import type { CountedTraces } from "../../traces/trace-count.tsx";
import { formatPercent } from "../../ui/format-percent.ts";
import { IntervalMark } from "../../ui/interval-mark.tsx";
import { type IntervalScale, rateScale } from "../../ui/interval-scale.ts";
import { DecisionIcon } from "../../ui/node-icons.tsx";
import { RateCounts } from "../../why/rate-counts.tsx";
import { isFew, shareOf } from "./failure-lift.ts";

interface SuspectRatesProps {
  suspect: Suspect;
  counted: CountedTraces;
}

/** How often runs failed after the chosen option, and after the best alternative. */
export function SuspectRates({ suspect, counted }: SuspectRatesProps) {
  const { chosen, alternative, option, step, after } = suspect;
  const scale = rateScale([chosen.high, ...(alternative ? [alternative.rate.high] : [])]);
  const traces: CountedTraces = { ...counted, after: after?.step };
  const shared = { scale, traces };
  return (
    <div className="mt-1">
      <RateRow {...shared} step={step} name={option} rate={chosen} other={alternative?.rate} isChosen />
      {alternative && (
        <RateRow
          {...shared}
          step={alternative.step}
          name={alternative.option}
          rate={alternative.rate}
          other={chosen}
        />
      )}
    </div>
  );
}

interface RateRowProps {
  step: string;
  name: string;
  rate: Rate;
  other: Rate | undefined;
  scale: IntervalScale;
  traces: CountedTraces;
  isChosen?: boolean;
}

function RateRow({ step, name, rate, other, scale, traces, isChosen = false }: RateRowProps) {
  const isCompared = other !== undefined && !isFew(rate) && !isFew(other);
  const share = shareOf(rate);
  return (
    <div className="grid min-h-6 grid-cols-[minmax(0,9rem)_minmax(3rem,1fr)_6.5rem] items-center gap-x-2.5 max-sm:grid-cols-[minmax(0,1fr)_4.5rem_6rem] max-sm:min-h-9">
      <span className="flex min-w-0 items-center gap-1.5 text-xs">
        <DecisionIcon isFilled={isChosen} />
        <span className="truncate" title={name}>
          {name}
          {isChosen && <span className="sr-only"> (chosen)</span>}
        </span>
      </span>
      <IntervalMark
        value={share}
        low={rate.low}
        high={rate.high}
        scale={scale}
        comparedWith={isCompared ? shareOf(other) : undefined}
        isFew={isFew(rate)}
        className="h-6"
        label={`${formatPercent(share)} failed, ${formatPercent(rate.low)} to ${formatPercent(rate.high)}`}
      />
      <RateCounts option={{ step, name, rate, open: 0 }} counted={traces} className="text-right text-xs" />
    </div>
  );
}
