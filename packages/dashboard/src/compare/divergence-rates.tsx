import {
  type ComparedDecision,
  MIN_COMPARED_DECISIONS,
  type Rate,
  type DivergenceRates as Rates,
} from "@whytrace/contract";
import { TraceCount } from "../traces/trace-count.tsx";
import { formatSigned, formatSpan } from "../ui/format/format-signed.ts";
import { IntervalMark } from "../ui/intervals/interval-mark.tsx";
import { type IntervalScale, rateScale } from "../ui/intervals/interval-scale.ts";
import { intervalTone, TONE_TEXT } from "../ui/intervals/interval-tone.ts";
import { rateDifference } from "./model/rate-difference.ts";
import { Pair } from "./pair.tsx";

interface DivergenceRatesProps {
  rates: Rates;
  agent: string | undefined;
  a: ComparedDecision;
  b: ComparedDecision;
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
const share = ({ failed, decisions }: Rate) => (decisions === 0 ? 0 : failed / decisions);

/** How often runs failed after each of the two options. */
export function DivergenceRates({ rates, agent, a, b }: DivergenceRatesProps) {
  const scale = rateScale([rates.a.high, rates.b.high]);
  const { points, low, high } = rateDifference(rates.a, rates.b);
  const isFew = Math.min(rates.a.decisions, rates.b.decisions) < MIN_COMPARED_DECISIONS;
  const linked = { rates, agent, scale };
  return (
    <Pair
      a={<RateMark {...linked} decision={a} rate={rates.a} other={rates.b} />}
      label={
        <>
          <span className="block">{rates.after ? `after ${rates.after.option}` : "wherever chosen"}</span>
          {isFew ? (
            <span className="font-semibold text-text">too few to compare</span>
          ) : (
            <span className="whitespace-nowrap">
              <span className="font-semibold text-text">{formatSigned(points)} points</span>{" "}
              {formatSpan(low, high)}
            </span>
          )}
        </>
      }
      b={<RateMark {...linked} decision={b} rate={rates.b} other={rates.a} />}
    />
  );
}

interface RateMarkProps {
  rates: Rates;
  agent: string | undefined;
  scale: IntervalScale;
  decision: ComparedDecision;
  rate: Rate;
  other: Rate;
}

function RateMark({ rates, agent, scale, decision, rate, other }: RateMarkProps) {
  const isFew = Math.min(rate.decisions, other.decisions) < MIN_COMPARED_DECISIONS;
  const comparedWith = isFew ? undefined : share(other);
  const tone = intervalTone(rate, comparedWith);
  const value = share(rate);
  if (rate.decisions === 0) return <p className="text-muted">Not counted in the last days</p>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3">
      <IntervalMark
        value={value}
        low={rate.low}
        high={rate.high}
        scale={scale}
        comparedWith={comparedWith}
        isFew={isFew}
        label={`${percent(value)} failed, ${percent(rate.low)} to ${percent(rate.high)}`}
        className="h-6"
      />
      <span className="whitespace-nowrap">
        <span className={`font-semibold ${TONE_TEXT[tone]}`}>{percent(value)}</span>{" "}
        <TraceCount
          traces={{
            agent,
            step: decision.step,
            after: rates.after?.step,
            about: decision.option,
            startedFrom: rates.from,
            startedTo: rates.to,
          }}
          className="text-accent hover:underline"
        >
          of {rate.decisions.toLocaleString("en")} failed
        </TraceCount>
      </span>
    </div>
  );
}
