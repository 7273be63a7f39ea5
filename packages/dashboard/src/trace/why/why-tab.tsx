import { Link } from "@tanstack/react-router";
import { type Blame, blameSentence, optionName, type Suspect, shortCount } from "@whytrace/contract";
import { paths } from "../../paths.ts";
import { Term } from "../../shell/term.tsx";
import { type CountedTraces, TraceCount } from "../../traces/trace-count.tsx";
import { Kbd } from "../../ui/badges.tsx";
import { formatDuration } from "../../ui/format/format.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { StatusIcon } from "../../ui/status.tsx";
import { countedTraces } from "../../why/counted-traces.ts";
import { HowCounted } from "../../why/how-counted.tsx";
import { OutcomeNoteItems } from "../../why/outcome-note-items.tsx";
import { ProgressNotice } from "../../why/progress-notice.tsx";
import { SentenceText } from "../../why/sentence-text.tsx";
import { isSuspected } from "../model/blame-path.ts";
import { decisionKey, type TraceTree, type TreeNode } from "../model/trace-tree.ts";
import { DitheringNote } from "./dithering-note.tsx";
import { errorWords } from "./error-words.ts";
import { OtherOptions } from "./other-options.tsx";
import { partnerSearch } from "./partner-search.ts";
import { SuspectCard } from "./suspect-card.tsx";
import { WhyTabSkeleton } from "./why-tab-skeleton.tsx";

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
      <QueryResult query={query} skeleton={<WhyTabSkeleton />}>
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
          Association in the same <Term word="situation" />, not cause.
          {suspected.length > 0 && (
            <>
              {" "}
              What is a <Term word="suspect" />?
            </>
          )}
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

/** The error or the reason that is explained, or that the run never ended. */
function WhatWentWrong({ tree, blame: { error, reason, ending }, counted }: WhatWentWrongProps) {
  return (
    <div className="flex gap-2.5 border-b border-line bg-[color-mix(in_oklab,var(--color-error)_6%,var(--color-bg))] px-4 py-2.5">
      <span className="mt-0.5">
        <StatusIcon status="ERROR" />
      </span>
      <div className="min-w-0">
        <p className="break-words font-semibold">{errorWords({ error, reason, ending })}</p>
        <p className="text-xs text-muted">
          {error
            ? `${error.name}, at ${formatDuration(Math.max(0, Date.parse(error.at) - tree.startMs))}`
            : ending.kind === "abandoned" && "Nothing was received of it for an hour."}
          {ending.kind === "error" && " · the run got over it"}
          {reason !== null && reason.fingerprint !== null && reason.runs > 0 && (
            <TraceCount
              traces={{ ...counted, fingerprint: reason.fingerprint, about: reason.text }}
              className="text-accent hover:underline"
            >
              {reason.runs.toLocaleString("en")} {reason.runs === 1 ? "run is" : "runs are"} bad for this
              reason in 30 days
            </TraceCount>
          )}
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

const BAD_WORDS: Readonly<Record<Blame["ending"]["kind"], string>> = {
  failed: "failed or never ended",
  abandoned: "failed or never ended",
  error: "had an error",
  scored: "are bad by a score",
};

/** What explains it, or that nothing does, and how many runs say so. */
function Answer({ blame, hasSuspects }: { blame: Blame; hasSuspects: boolean }) {
  const { decisions, comparedRuns, badRuns, traceId, partner } = blame;
  const bad = BAD_WORDS[blame.ending.kind];
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
          : `${shortCount(comparedRuns)} ${comparedRuns === 1 ? "run" : "runs"} of this agent compared, of which ${shortCount(badRuns)} ${bad}; ${decisions.toLocaleString("en")} ${decisions === 1 ? "decision" : "decisions"} in this one until it went wrong.`}
      </p>
      <ul aria-label="What is counted" className="mt-1 grid gap-0.5 text-xs text-muted empty:hidden">
        <OutcomeNoteItems counted={{ ...blame, runs: comparedRuns }} />
      </ul>
      {decisions > 0 && comparedRuns > badRuns && (
        <p className="mt-1 text-xs">
          <Link
            to={paths.compare}
            search={partnerSearch(traceId, blame)}
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
