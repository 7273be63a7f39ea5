import type { Scorecard, Stratum } from "@whytrace/contract";
import { MIN_COMPARED_DECISIONS } from "@whytrace/contract";
import { Term } from "../../shell/term.tsx";
import type { CountedTraces } from "../../traces/trace-count.tsx";
import { SegmentedControl } from "../../ui/controls/segmented-control.tsx";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { IntervalAxis } from "../../ui/intervals/interval-axis.tsx";
import { IntervalMark } from "../../ui/intervals/interval-mark.tsx";
import { type IntervalScale, rateScale } from "../../ui/intervals/interval-scale.ts";
import { Panel } from "../../ui/panel.tsx";
import type { CountedSearch } from "../counted-search.ts";
import { countedTraces } from "../counted-traces.ts";
import { RateCounts } from "../rate-counts.tsx";
import { OptionSwatch } from "./option-swatch.tsx";
import type { Likeness } from "./scorecard-search.ts";

interface SameSituationProps {
  card: Scorecard;
  search: CountedSearch;
  like: Likeness;
  onLike: (like: Likeness) => void;
}

const LABELS: Record<Likeness, string> = { before: "Decision before", release: "Release", agent: "Agent" };
const BY_LABEL = new Map(Object.entries(LABELS).map(([like, label]) => [label, like as Likeness]));
const MAX_STRATA = 6;

/** The same options among runs that have something in common, so that hard cases are compared with hard cases. */
export function SameSituation({ card, search, like, onLike }: SameSituationProps) {
  const strata = card.strata[like];
  const shown = strata.slice(0, MAX_STRATA);
  const scale = rateScale(shown.flatMap(({ options }) => options.map(({ rate }) => rate.high)));
  return (
    <Panel
      title="Same situation"
      note={<Term word="situation">What is a situation?</Term>}
      legend={
        <SegmentedControl
          label="Compare runs with the same"
          options={Object.values(LABELS)}
          value={LABELS[like]}
          onChange={(label) => onLike(BY_LABEL.get(label) ?? "before")}
        />
      }
    >
      <div className="px-3 py-2">
        {shown.length === 0 ? (
          <p className="text-muted">{like === "release" ? NO_RELEASES : "Nothing to compare yet."}</p>
        ) : (
          <>
            <div className={GRID}>
              <span />
              <IntervalAxis scale={scale} format={formatPercent} />
              <span />
            </div>
            {shown.map((stratum) => (
              <StratumRows
                key={`${stratum.before} ${stratum.name}`}
                card={card}
                search={search}
                like={like}
                stratum={stratum}
                scale={scale}
              />
            ))}
          </>
        )}
        {strata.length > shown.length && (
          <p className="pt-2 text-xs text-muted">and {strata.length - shown.length} with fewer decisions</p>
        )}
      </div>
    </Panel>
  );
}

const NO_RELEASES =
  "No run names its release. Tag traces with, for example, release:2026-11-02 or v2.3.1 to compare releases.";
const GRID =
  "grid grid-cols-[7.5rem_minmax(0,1fr)_6.5rem] items-center gap-3 max-sm:grid-cols-[6rem_minmax(0,1fr)_6rem] max-sm:gap-2";

interface StratumRowsProps {
  card: Scorecard;
  search: CountedSearch;
  like: Likeness;
  stratum: Stratum;
  scale: IntervalScale;
}

function StratumRows({ card, search, like, stratum, scale }: StratumRowsProps) {
  const { name, decisions, failed, options } = stratum;
  const all = decisions === 0 ? 0 : failed / decisions;
  const counted = stratumTraces(countedTraces(card, search), like, stratum);
  return (
    <section aria-label={`${titleOf(like)} ${name ?? NONE[like]}`}>
      <h3 className="flex flex-wrap gap-x-1.5 pb-0.5 pt-2 text-xs">
        <span className="text-muted">
          {titleOf(like)} <b className="font-semibold text-text">{name ?? NONE[like]}</b>{" "}
          {decisions.toLocaleString("en")} · all {formatPercent(all)}
        </span>
      </h3>
      {options.map(({ step, rate }) => {
        const index = card.options.findIndex((option) => option.step === step);
        const option = card.options[index];
        if (!option || rate.decisions === 0) return null;
        const value = rate.failed / rate.decisions;
        return (
          <div key={step} className={`${GRID} h-6`}>
            <span className="flex min-w-0 items-center gap-2">
              <OptionSwatch index={index} />
              <span className="truncate" title={option.name}>
                {option.name}
              </span>
            </span>
            <IntervalMark
              value={value}
              low={rate.low}
              high={rate.high}
              scale={scale}
              lineAt={all}
              isFew={rate.decisions < MIN_COMPARED_DECISIONS}
              label={`${option.name}: ${formatPercent(value)} failed, ${Math.round(rate.low * 100)} to ${Math.round(rate.high * 100)} %`}
              className="h-6"
            />
            <span className="text-right">
              {counted ? (
                <RateCounts option={{ ...option, rate }} counted={counted} />
              ) : (
                <span className="whitespace-nowrap tabular-nums">
                  <b className="font-semibold">{formatPercent(value)}</b>{" "}
                  <span className="text-muted">of {rate.decisions.toLocaleString("en")}</span>
                </span>
              )}
            </span>
          </div>
        );
      })}
    </section>
  );
}

const titleOf = (like: Likeness) => (like === "before" ? "after" : "in");
const NONE: Record<Likeness, string> = { before: "nothing", release: "no release", agent: "no agent" };

/** The traces of a stratum; undefined if the list of traces has no such filter, as for runs without a release. */
function stratumTraces(
  counted: CountedTraces,
  like: Likeness,
  { name, before }: Stratum,
): CountedTraces | undefined {
  if (like === "before") return before === undefined ? undefined : { ...counted, after: before };
  return name === null ? undefined : { ...counted, [like]: name };
}
