import { Link } from "@tanstack/react-router";
import { type Blame, blameSentence, optionName, type Suspect } from "@whytrace/contract";
import { omitEmpty } from "../../client/search-params.ts";
import { paths } from "../../paths.ts";
import { type CountedTraces, TraceCount } from "../../traces/trace-count.tsx";
import { Kbd } from "../../ui/badges.tsx";
import { formatDuration } from "../../ui/format/format.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonBar } from "../../ui/skeleton.tsx";
import { StatusIcon } from "../../ui/status.tsx";
import { countedTraces } from "../../why/counted-traces.ts";
import { HowCounted } from "../../why/how-counted.tsx";
import { ProgressNotice } from "../../why/progress-notice.tsx";
import { SentenceText } from "../../why/sentence-text.tsx";
import { isSuspected } from "../model/blame-path.ts";
import { decisionKey, type TraceTree, type TreeNode } from "../model/trace-tree.ts";
import { DitheringNote } from "./dithering-note.tsx";
import { OtherOptions } from "./other-options.tsx";
import { SuspectCard } from "./suspect-card.tsx";

export interface WhyTabProps {
  tree: TraceTree;
  query: { data: Blame | undefined; error: Error | null; refetch: () => Promise<unknown> };
  /** The suspect that the keys go to and judge, from 0 on. */
  current: number;
  onNavigate: (node: TreeNode) => void;
}

/** The options that were chosen, or left out, before the run went wrong, the likeliest cause first. */
export function WhyTab({ tree, query, current, onNavigate }: WhyTabProps) {
  return (
    <div className="-mx-4 -mt-4">
      <QueryResult query={query} skeleton={<WhySkeleton />}>
        {(blame) => <Suspects tree={tree} blame={blame} current={current} onNavigate={onNavigate} />}
      </QueryResult>
    </div>
  );
}

function Suspects({ tree, blame, current, onNavigate }: Omit<WhyTabProps, "query"> & { blame: Blame }) {
  const suspected = blame.suspects.filter(isSuspected);
  const others = blame.suspects.filter((suspect) => !isSuspected(suspect));
  const counted = countedTraces(blame, {});
  const nodeOf = ({ decisionPointId }: Suspect) =>
    decisionPointId === null ? undefined : tree.byKey.get(decisionKey(decisionPointId));
  const open = (suspect: Suspect) => {
    const node = nodeOf(suspect);
    if (node) onNavigate(node);
  };
  const alternativesOf = (suspect: Suspect) => {
    const node = nodeOf(suspect);
    return node?.kind === "decision" ? node.decision.alternatives.map(optionName) : [];
  };
  return (
    <>
      <WhatWentWrong tree={tree} blame={blame} counted={counted} />
      <ProgressNotice progress={blame.progress} />
      <Answer blame={blame} hasSuspects={suspected.length > 0} />
      {suspected.length > 0 && (
        <section aria-label="Suspects" className="border-t border-line">
          {suspected.map((suspect, index) => (
            <SuspectCard
              key={`${suspect.kind} ${suspect.step}`}
              blame={blame}
              suspect={suspect}
              rank={index + 1}
              counted={counted}
              alternatives={alternativesOf(suspect)}
              isCurrent={index === current}
              onOpen={() => open(suspect)}
            />
          ))}
        </section>
      )}
      {blame.suspects.map((suspect) => (
        <DitheringNote key={`${suspect.kind} ${suspect.step}`} suspect={suspect} />
      ))}
      <OtherOptions suspects={others} hasSuspects={suspected.length > 0} onOpen={open} />
      <div className="px-4 py-2.5">
        <HowCounted>
          Association in the same situation, not cause.
          {blame.record.judged > 0 &&
            ` The first suspect was indeed wrong in ${blame.record.right} of ${blame.record.judged} that were judged.`}
        </HowCounted>
      </div>
    </>
  );
}

interface WhatWentWrongProps {
  tree: TraceTree;
  blame: Blame;
  counted: CountedTraces;
}

/** The error that is explained, or that the run never ended. */
function WhatWentWrong({ tree, blame: { error, ending }, counted }: WhatWentWrongProps) {
  return (
    <div className="flex gap-2.5 border-b border-line bg-[color-mix(in_oklab,var(--color-error)_6%,var(--color-bg))] px-4 py-2.5">
      <span className="mt-0.5">
        <StatusIcon status="ERROR" />
      </span>
      <div className="min-w-0">
        <p className="break-words font-semibold">
          {error
            ? (error.message ?? error.name)
            : ending.kind === "abandoned"
              ? "This run never ended"
              : "This run failed"}
        </p>
        <p className="text-xs text-muted">
          {error
            ? `${error.name}, at ${formatDuration(Math.max(0, Date.parse(error.at) - tree.startMs))}`
            : ending.kind === "abandoned" && "Nothing was received of it for an hour."}
          {ending.kind === "error" && " · the run got over it"}
          {error !== null && error.runs > 0 && (
            <>
              {" · "}
              <TraceCount
                traces={{ ...counted, fingerprint: error.fingerprint, about: error.message ?? error.name }}
                className="text-accent hover:underline"
              >
                {error.runs.toLocaleString("en")} {error.runs === 1 ? "run" : "runs"} had this error in 30
                days
              </TraceCount>
            </>
          )}
        </p>
      </div>
    </div>
  );
}

/** What explains it, or that nothing does, and how many runs say so. */
function Answer({ blame, hasSuspects }: { blame: Blame; hasSuspects: boolean }) {
  const { decisions, comparedRuns, badRuns, traceId, partner } = blame;
  // The partner differs at the first suspect that has a decision.
  const decisionAt =
    blame.suspects.find(({ decisionPointId }) => decisionPointId !== null)?.decisionPointId ?? undefined;
  const bad = blame.ending.kind === "error" ? "had an error" : "failed or never ended";
  return (
    <div className="px-4 py-2.5">
      <div className="flex items-baseline gap-2">
        <h2 className="min-w-0 break-words font-semibold">
          {decisions === 0 ? (
            "Nothing was decided before it went wrong"
          ) : (
            <SentenceText sentence={blameSentence(blame)} />
          )}
        </h2>
        {hasSuspects && (
          <span className="ml-auto flex gap-1">
            <Kbd>[</Kbd>
            <Kbd>]</Kbd>
          </span>
        )}
      </div>
      <p className="text-xs text-muted">
        {decisions === 0
          ? "Look at the input of the failed span, or send decision points."
          : `${comparedRuns.toLocaleString("en")} ${comparedRuns === 1 ? "run" : "runs"} of this agent compared, of which ${badRuns.toLocaleString("en")} ${bad}; ${decisions.toLocaleString("en")} ${decisions === 1 ? "decision" : "decisions"} in this one until it went wrong.`}
      </p>
      {decisions > 0 && (
        <p className="mt-1 text-xs">
          <Link
            to={paths.compare}
            search={omitEmpty({ a: traceId, b: partner?.traceId, at: partner ? decisionAt : undefined })}
            className="text-accent hover:underline max-sm:inline-flex max-sm:min-h-6 max-sm:items-center"
          >
            {partner
              ? `Compare with a run that went well and chose otherwise, at its turn ${partner.turn + 1}`
              : "Compare with a run that went well"}
          </Link>
        </p>
      )}
    </div>
  );
}

const WhySkeleton = () => (
  <div role="status" aria-label="Loading" className="animate-[fade-in_0s_150ms_both]">
    <div className="grid gap-2 border-b border-line px-4 py-3">
      <SkeletonBar className="w-2/3" />
      <SkeletonBar className="w-1/3" />
    </div>
    {[1, 2, 3].map((row) => (
      <div key={row} className="grid gap-3 border-b border-line px-4 py-4">
        <SkeletonBar className="w-1/2" />
        <SkeletonBar className="w-full" />
        <SkeletonBar className="w-full" />
      </div>
    ))}
  </div>
);
