import { type Blame, optionName, type Suspect } from "@whytrace/contract";
import type { ReactNode } from "react";
import { type CountedTraces, TraceCount } from "../../traces/trace-count.tsx";
import { Kbd } from "../../ui/badges.tsx";
import { Button } from "../../ui/button.tsx";
import { formatDuration } from "../../ui/format.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonBar } from "../../ui/skeleton.tsx";
import { StatusIcon } from "../../ui/status.tsx";
import { countedTraces } from "../../why/counted-traces.ts";
import { HowCounted } from "../../why/how-counted.tsx";
import { ProgressNotice } from "../../why/progress-notice.tsx";
import { isSuspected } from "../model/blame-path.ts";
import { decisionKey, type TraceTree, type TreeNode } from "../model/trace-tree.ts";
import { DitheringNote } from "./dithering-note.tsx";
import { OtherDecisions } from "./other-decisions.tsx";
import { SuspectCard } from "./suspect-card.tsx";

export interface WhyTabProps {
  tree: TraceTree;
  query: { data: Blame | undefined; error: Error | null; refetch: () => Promise<unknown> };
  /** The suspect that the keys go to and judge, from 0 on. */
  current: number;
  onNavigate: (node: TreeNode) => void;
}

/** The decisions before an error, the likeliest cause first. */
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
  const open = ({ decisionPointId }: Suspect) => {
    const node = tree.byKey.get(decisionKey(decisionPointId));
    if (node) onNavigate(node);
  };
  const alternativesOf = ({ decisionPointId }: Suspect) => {
    const node = tree.byKey.get(decisionKey(decisionPointId));
    return node?.kind === "decision" ? node.decision.alternatives.map(optionName) : [];
  };
  const nearest = blame.suspects.toSorted((a, b) => a.beforeMs - b.beforeMs)[0];
  return (
    <>
      <ErrorHead tree={tree} blame={blame} counted={counted} />
      <ProgressNotice progress={blame.progress} />
      {suspected.length > 0 ? (
        <section aria-label="Suspects">
          <div className="flex items-center gap-2 px-4 pt-2.5">
            <h2 className="text-sm font-semibold">
              {suspected.length} {suspected.length === 1 ? "suspect" : "suspects"}
            </h2>
            <span className="text-xs text-muted">
              of {blame.decisions.toLocaleString("en")} {blame.decisions === 1 ? "decision" : "decisions"}{" "}
              before it
            </span>
            <span className="ml-auto flex gap-1">
              <Kbd>[</Kbd>
              <Kbd>]</Kbd>
            </span>
          </div>
          {suspected.map((suspect, index) => (
            <SuspectCard
              key={suspect.decisionPointId}
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
      ) : (
        <NoSuspect blame={blame}>
          {nearest && <Button onClick={() => open(nearest)}>Nearest decision: {nearest.option}</Button>}
        </NoSuspect>
      )}
      {blame.suspects.map((suspect) => (
        <DitheringNote key={suspect.decisionPointId} suspect={suspect} />
      ))}
      <OtherDecisions suspects={others} count={blame.decisions - suspected.length} onOpen={open} />
      <div className="px-4 py-2.5">
        <HowCounted>
          Association, not cause. Ranked by how much likelier this error is after the choice than after its
          alternatives; nearer first.
          {blame.record.judged > 0 &&
            ` The first suspect was indeed wrong in ${blame.record.right} of ${blame.record.judged} that were judged.`}
        </HowCounted>
      </div>
    </>
  );
}

function ErrorHead({ tree, blame, counted }: { tree: TraceTree; blame: Blame; counted: CountedTraces }) {
  const { error } = blame;
  const ms = Math.max(0, Date.parse(error.at) - tree.startMs);
  return (
    <div className="flex gap-2.5 border-b border-line bg-[color-mix(in_oklab,var(--color-error)_6%,var(--color-bg))] px-4 py-2.5">
      <span className="mt-0.5">
        <StatusIcon status="ERROR" />
      </span>
      <div className="min-w-0">
        <p className="break-words font-semibold">{error.message ?? error.name}</p>
        <p className="text-xs text-muted">
          {error.name}, at {formatDuration(ms)}
          {error.runs > 0 && (
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

function NoSuspect({ blame, children }: { blame: Blame; children: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-2 border-b border-line px-6 py-10 text-center">
      <h2 className="font-semibold">
        {blame.decisions === 0
          ? "Nothing was decided before this error"
          : `No suspect among ${blame.decisions.toLocaleString("en")} ${blame.decisions === 1 ? "decision" : "decisions"}`}
      </h2>
      <p className="max-w-80 text-muted">
        {blame.decisions === 0
          ? "No decision explains it. Look at the input of the failed span, or send decision points."
          : "After each of them, runs failed about as often as after its alternatives, or there are fewer than 20 to compare."}
      </p>
      {children}
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
