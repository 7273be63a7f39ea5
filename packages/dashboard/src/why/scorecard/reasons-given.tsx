import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  MIN_COMPARED_DECISIONS,
  type ReasonList,
  type Scorecard,
  type ScorecardOption,
} from "@whytrace/contract";
import { paths } from "../../paths.ts";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { IntervalMark } from "../../ui/intervals/interval-mark.tsx";
import { rateScale } from "../../ui/intervals/interval-scale.ts";
import { Panel } from "../../ui/panel.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import type { CountedSearch } from "../counted-search.ts";
import { reasonsQuery } from "../insights-query.ts";

interface ReasonsGivenProps {
  card: Scorecard;
  search: CountedSearch;
  option: ScorecardOption;
  onSelect: (step: string) => void;
}

const MAX_TABS = 4;

/** Why the agent said it chose an option, similar texts together, and how that went. */
export function ReasonsGiven({ card, search, option, onSelect }: ReasonsGivenProps) {
  const reasons = useQuery(reasonsQuery(card.signature, option.step, search));
  const { failed, decisions } = option.rate;
  const rate = decisions === 0 ? 0 : failed / decisions;
  return (
    <Panel
      title="Reasons given"
      note={`- - its ${formatPercent(rate)}`}
      legend={
        <fieldset className="flex min-w-0 max-w-full overflow-hidden rounded-md border border-line">
          <legend className="sr-only">Option</legend>
          {card.options.slice(0, MAX_TABS).map(({ step, name, rate: { decisions: chosen } }) => (
            <button
              key={step}
              type="button"
              aria-pressed={step === option.step}
              onClick={() => onSelect(step)}
              className="min-h-6.5 min-w-0 truncate px-2.5 font-medium text-muted focus-visible:-outline-offset-2 aria-pressed:bg-sunken aria-pressed:text-text max-sm:min-h-11 max-sm:px-1.5"
            >
              {name} {chosen.toLocaleString("en")}
            </button>
          ))}
        </fieldset>
      }
    >
      <div aria-busy={reasons.isFetching}>
        <QueryResult query={reasons} skeleton={<SkeletonRows count={4} height="h-11" />}>
          {(data) => <Reasons list={data} rate={rate} name={option.name} />}
        </QueryResult>
      </div>
    </Panel>
  );
}

function Reasons({ list: { reasons, read }, rate, name }: { list: ReasonList; rate: number; name: string }) {
  if (reasons.length === 0)
    return <p className="p-3 text-muted">No reasoning was sent with the decisions for {name}.</p>;
  const scale = rateScale(reasons.map(({ high }) => high));
  return (
    <>
      <ol className="px-3 py-0.5">
        {reasons.map(({ text, decisions, failed, low, high, traceId }) => {
          const value = decisions === 0 ? 0 : failed / decisions;
          return (
            <li
              key={text}
              className="grid min-h-11 grid-cols-[minmax(0,1fr)_4.5rem_8rem_6.5rem] items-center gap-3 border-t border-line/60 first:border-t-0 max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-y-1 max-sm:py-2"
            >
              <Link
                to={paths.trace}
                params={{ id: traceId }}
                title={text}
                className="line-clamp-2 text-xs leading-4.5 hover:underline"
              >
                {text || "No reasoning was sent."}
              </Link>
              <span className="whitespace-nowrap tabular-nums">
                <b className="font-semibold">{decisions.toLocaleString("en")}</b>{" "}
                <span className="text-xs text-muted">{formatPercent(decisions / Math.max(1, read))}</span>
              </span>
              <IntervalMark
                value={value}
                low={low}
                high={high}
                scale={scale}
                lineAt={rate}
                isFew={decisions < MIN_COMPARED_DECISIONS}
                label={`${formatPercent(value)} failed, ${Math.round(low * 100)} to ${Math.round(high * 100)} %`}
                className="h-11 max-sm:h-7"
              />
              <span className="whitespace-nowrap text-right">
                <b className="font-semibold">{formatPercent(value)}</b>{" "}
                <span className="text-muted">{failed.toLocaleString("en")} failed</span>
              </span>
            </li>
          );
        })}
      </ol>
      <p className="px-3 pb-2 text-xs text-muted">
        Of the {read.toLocaleString("en")} newest decisions; each links to the latest trace that says so.
      </p>
    </>
  );
}
