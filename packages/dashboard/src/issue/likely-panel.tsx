import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type IssueDetail, type LikelyDecision, unexplainedSentence } from "@whytrace/contract";
import { omitEmpty } from "../client/search-params.ts";
import type { RangeName } from "../client/time-ranges.ts";
import { paths } from "../paths.ts";
import { blameQuery } from "../trace/why/blame-query.ts";
import { MaskedClue } from "../trace/why/masked-clue.tsx";
import { SuspectClue } from "../trace/why/suspect-clue.tsx";
import { formatPercent } from "../ui/format/format-percent.ts";
import { IntervalMark } from "../ui/intervals/interval-mark.tsx";
import { rateScale } from "../ui/intervals/interval-scale.ts";
import { Panel } from "../ui/panel.tsx";
import { SkeletonLine } from "../ui/skeleton.tsx";
import { wilsonInterval } from "../why/map/wilson-interval.ts";

interface LikelyPanelProps {
  issue: IssueDetail;
  range: RangeName | undefined;
}

/** The decision that likely made the difference, with both rates. */
export function LikelyPanel({ issue, range }: LikelyPanelProps) {
  const { likely, agent, newestTraceId } = issue;
  return (
    <Panel
      title="Likely decision"
      note={likely && "of the newest runs"}
      legend={
        likely && (
          <Link
            to={paths.scorecard}
            params={{ signature: likely.signature }}
            search={omitEmpty({ agent, range, option: likely.step })}
            className="text-accent hover:underline"
          >
            Scorecard
          </Link>
        )
      }
    >
      {likely ? (
        <Likely likely={likely} />
      ) : (
        <p className="p-3 text-muted">
          {unexplainedSentence(issue)}
          {newestTraceId !== null && (
            <>
              {" "}
              <Link
                to={paths.trace}
                params={{ id: newestTraceId }}
                search={{ tab: "why" }}
                className="text-accent underline"
              >
                What the newest run decided
              </Link>
            </>
          )}
        </p>
      )}
      {newestTraceId !== null && likely && <Clue traceId={newestTraceId} step={likely.step} />}
    </Panel>
  );
}

function Likely({ likely }: { likely: LikelyDecision }) {
  const { word, option, alternative, chosen, alternativeRate } = likely;
  const interval = wilsonInterval(chosen.failed, chosen.decisions);
  const rate = chosen.decisions === 0 ? 0 : chosen.failed / chosen.decisions;
  const scale = rateScale([interval.high, alternativeRate ?? 0]);
  return (
    <div className="grid gap-3 p-3">
      <p className="text-lg">
        The runs chose <Option name={option} isChosen />, which{" "}
        <b className="font-semibold">{word === "likely" ? "likely" : "possibly"}</b> made the difference.
        {alternative !== null && (
          <>
            {" "}
            A run that went well chose <Option name={alternative} />.
          </>
        )}
      </p>
      <div className="grid grid-cols-[minmax(0,9rem)_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5 max-sm:grid-cols-[minmax(0,6rem)_minmax(0,1fr)_auto]">
        <span title={option} className="truncate font-semibold text-tool">
          {option}
        </span>
        <IntervalMark
          value={rate}
          {...interval}
          scale={scale}
          comparedWith={alternativeRate ?? undefined}
          label={`${formatPercent(rate)} of ${chosen.decisions} decisions for ${option} were in bad runs`}
        />
        <span className="text-right tabular-nums">
          <b className="font-semibold">{formatPercent(rate)}</b>{" "}
          <span className="text-muted">of {chosen.decisions.toLocaleString("en")}</span>
        </span>
        {alternativeRate !== null && (
          <>
            <span className="text-muted">others</span>
            <IntervalMark
              value={alternativeRate}
              low={alternativeRate}
              high={alternativeRate}
              scale={scale}
              comparedWith={rate}
              label={`${formatPercent(alternativeRate)} of decisions for others in the same situation were in bad runs`}
            />
            <b className="text-right font-semibold tabular-nums">{formatPercent(alternativeRate)}</b>
          </>
        )}
      </div>
    </div>
  );
}

const Option = ({ name, isChosen = false }: { name: string; isChosen?: boolean }) => (
  <span
    className={`inline-flex max-w-full items-center gap-1.5 rounded-[5px] border px-1.5 align-bottom text-sm leading-6 ${isChosen ? "border-tool font-semibold text-tool" : "border-line text-muted"}`}
  >
    <span
      aria-hidden="true"
      className={`size-2 shrink-0 rotate-45 rounded-[1px] border-2 border-current ${isChosen ? "bg-current" : ""}`}
    />
    <span className="truncate">{name}</span>
  </span>
);

/** What in the context tells failed runs from others, as far as the newest run knows. */
function Clue({ traceId, step }: { traceId: string; step: string }) {
  const { data, isError } = useQuery(blameQuery(traceId, undefined, 0));
  const { clue, maskedContext } = data?.suspects.find((suspect) => suspect.step === step) ?? {};
  if (isError) return null;
  return (
    <div className="border-t border-line px-3 py-2">
      <span className="text-xs font-semibold text-retry">Clue</span>
      {clue && <SuspectClue clue={clue} />}
      {maskedContext && <MaskedClue masked={maskedContext} />}
      {/* A line in any case, so that the panels below stay where they are. */}
      {!clue && !maskedContext && (
        <div className="mt-1 text-xs text-muted">
          {data ? "None in the context of the newest run." : <SkeletonLine className="w-2/3" />}
        </div>
      )}
    </div>
  );
}
