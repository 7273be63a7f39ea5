import { MIN_COMPARED_DECISIONS, type Scorecard } from "@whytrace/contract";
import { Term } from "../../shell/term.tsx";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { IntervalAxis } from "../../ui/intervals/interval-axis.tsx";
import { IntervalMark } from "../../ui/intervals/interval-mark.tsx";
import { rateScale } from "../../ui/intervals/interval-scale.ts";
import { Panel } from "../../ui/panel.tsx";
import { OptionSwatch } from "./option-swatch.tsx";

const READINGS = [
  ["answered", "Only runs with an answer"],
  ["silenceGood", "No answer counts as good"],
] as const;
const GRID =
  "grid grid-cols-[7.5rem_minmax(0,1fr)_8rem] items-center gap-3 max-sm:grid-cols-[6rem_minmax(0,1fr)_7rem] max-sm:gap-2";
const MAX_OPTIONS = 6;

/** How often a bad score followed each option, whether silent runs are left out or taken for good. Nothing if every run is judged. */
export function SilenceReadings({ card }: { card: Scorecard }) {
  const options = card.options.flatMap(({ readings, ...option }, index) =>
    readings === null ? [] : [{ ...option, readings, index }],
  );
  if (options.length === 0) return null;
  const shown = options.slice(0, MAX_OPTIONS);
  const scale = rateScale(
    shown.flatMap(({ readings }) => READINGS.map(([reading]) => readings[reading].high)),
  );
  return (
    <Panel title="Two readings of silence" note={<Term word="reading">What is a reading?</Term>}>
      <div className="px-3 py-2">
        <div className={GRID}>
          <span />
          <IntervalAxis scale={scale} format={formatPercent} />
          <span />
        </div>
        {READINGS.map(([reading, title]) => (
          <section key={reading} aria-label={title}>
            <h3 className="pb-0.5 pt-2 text-xs text-muted">{title}</h3>
            {shown.map(({ step, name, index, readings }) => {
              const { decisions, failed, low, high } = readings[reading];
              const value = decisions === 0 ? 0 : failed / decisions;
              return (
                <div key={step} className={`${GRID} h-6`}>
                  <span className="flex min-w-0 items-center gap-2">
                    <OptionSwatch index={index} />
                    <span className="truncate" title={name}>
                      {name}
                    </span>
                  </span>
                  {decisions > 0 ? (
                    <IntervalMark
                      value={value}
                      low={low}
                      high={high}
                      scale={scale}
                      isFew={decisions < MIN_COMPARED_DECISIONS}
                      label={`${name}: ${formatPercent(value)} bad, ${Math.round(low * 100)} to ${Math.round(high * 100)} %`}
                      className="h-6"
                    />
                  ) : (
                    <span />
                  )}
                  <span className="whitespace-nowrap text-right text-xs tabular-nums">
                    {decisions > 0 && <b className="font-semibold">{formatPercent(value)}</b>}{" "}
                    <span className="text-muted">
                      {failed.toLocaleString("en")} of {decisions.toLocaleString("en")}
                    </span>
                  </span>
                </div>
              );
            })}
          </section>
        ))}
        <p className="pt-2 text-xs text-muted">
          Bad scores only. If the unhappy answer more often than the others, the true shares lie between.
          Findings name an option only if it is worse in both.
        </p>
      </div>
    </Panel>
  );
}
