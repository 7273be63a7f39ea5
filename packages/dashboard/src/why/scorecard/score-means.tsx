import { useQuery } from "@tanstack/react-query";
import {
  MIN_COMPARED_DECISIONS,
  type Scorecard,
  type ScoreMeans as ScoreMeansData,
} from "@whytrace/contract";
import { TraceCount } from "../../traces/trace-count.tsx";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { IntervalAxis } from "../../ui/intervals/interval-axis.tsx";
import { IntervalMark } from "../../ui/intervals/interval-mark.tsx";
import { linearScale, rateScale } from "../../ui/intervals/interval-scale.ts";
import { Panel } from "../../ui/panel.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import type { CountedSearch } from "../counted-search.ts";
import { countedTraces } from "../counted-traces.ts";
import { scoreMeansQuery } from "../insights-query.ts";
import { OptionSwatch } from "./option-swatch.tsx";

const GRID =
  "grid grid-cols-[7.5rem_minmax(0,1fr)_8rem] items-center gap-3 max-sm:grid-cols-[6rem_minmax(0,1fr)_7rem] max-sm:gap-2";
const MAX_OPTIONS = 6;

interface ScoreMeansProps {
  card: Scorecard;
  search: CountedSearch;
}

/** What scores were on average after each option. Nothing if no run has a number or a boolean. */
export function ScoreMeans({ card, search }: ScoreMeansProps) {
  const query = useQuery(scoreMeansQuery(card.signature, search));
  if (query.data?.names.length === 0) return null;
  return (
    <Panel title="Mean scores">
      <QueryResult query={query} skeleton={<SkeletonRows count={3} />}>
        {({ names, read }) => (
          <div className="px-3 py-2">
            {names.map((one) => (
              <NamedMeans key={one.name} card={card} search={search} named={one} />
            ))}
            <p className="pt-2 text-xs text-muted">
              Means of the newest {read.toLocaleString("en")} runs with scores, with their 95 % intervals.
              Silent runs are left out: a difference may be made by who votes.
            </p>
          </div>
        )}
      </QueryResult>
    </Panel>
  );
}

const formatMean = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 2 });

interface NamedMeansProps extends ScoreMeansProps {
  named: ScoreMeansData["names"][number];
}

function NamedMeans({ card, search, named: { name, isShare, options } }: NamedMeansProps) {
  const shown = card.options.slice(0, MAX_OPTIONS).flatMap(({ step, name: option }, index) => {
    const found = options.find((one) => one.step === step);
    return found ? [{ ...found, option, index }] : [];
  });
  const highs = shown.flatMap(({ mean }) => (mean ? [mean.low, mean.high] : []));
  const scale = isShare ? rateScale(highs) : linearScale(highs);
  const format = isShare ? formatPercent : formatMean;
  return (
    <section aria-label={name}>
      <div className={GRID}>
        <h3 className="truncate pb-0.5 pt-2 text-xs text-muted" title={name}>
          {name}
          {isShare && ", true"}
        </h3>
        <IntervalAxis scale={scale} format={format} />
        <span />
      </div>
      {shown.map(({ step, option, index, mean, runs }) => (
        <div key={step} className={`${GRID} h-6`}>
          <span className="flex min-w-0 items-center gap-2">
            <OptionSwatch index={index} />
            <span className="truncate" title={option}>
              {option}
            </span>
          </span>
          {mean ? (
            <IntervalMark
              {...mean}
              scale={scale}
              isFew={runs < MIN_COMPARED_DECISIONS}
              label={`${option}: ${format(mean.value)}, ${format(mean.low)} to ${format(mean.high)}`}
              className="h-6"
            />
          ) : (
            <span />
          )}
          <span className="whitespace-nowrap text-right text-xs tabular-nums">
            {mean && <b className="font-semibold">{format(mean.value)}</b>}{" "}
            <TraceCount
              traces={{ ...countedTraces(card, search), step, scoreName: name, about: option }}
              className="text-muted hover:underline"
            >
              {runs.toLocaleString("en")} {runs === 1 ? "run" : "runs"}
            </TraceCount>
          </span>
        </div>
      ))}
    </section>
  );
}
