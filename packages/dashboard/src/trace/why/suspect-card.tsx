import { Link } from "@tanstack/react-router";
import type { Blame, Suspect, Verdict } from "@whytrace/contract";
import { useEffect, useRef } from "react";
import { useIsReadOnly } from "../../client/use-role.ts";
import { paths } from "../../paths.ts";
import { type CountedTraces, TraceCount } from "../../traces/trace-count.tsx";
import { RankBadge } from "../../ui/rank-badge.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import { VerdictButtons } from "../../verdicts/verdict-buttons.tsx";
import { MaskedClue } from "./masked-clue.tsx";
import { SuspectClue } from "./suspect-clue.tsx";
import { SuspectWords } from "./suspect-words.tsx";

interface SuspectCardProps {
  blame: Blame;
  suspect: Suspect;
  rank: number;
  counted: CountedTraces;
  /** The names of the options that were not chosen. */
  alternatives: string[];
  /** Whether the keys for verdicts judge this one. */
  isCurrent: boolean;
  onOpen: () => void;
}

/** An option that may explain why the run went wrong, and what is known of it from other runs. */
export function SuspectCard(props: SuspectCardProps) {
  const { blame, suspect, rank, counted, alternatives, isCurrent, onOpen } = props;
  const { type, option, step, signature, decisionPointId, verdict } = suspect;
  const isReadOnly = useIsReadOnly();
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isCurrent && rank > 1) element.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent, rank]);
  return (
    <article
      ref={element}
      aria-label={`Suspect ${rank}: ${option}`}
      aria-current={isCurrent || undefined}
      style={tintedStyle(type)}
      className={`grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 border-b border-line px-4 py-2.5 ${isCurrent ? "shadow-[inset_3px_0_var(--color-error)]" : ""}`}
    >
      <RankBadge>{rank}</RankBadge>
      <div className="min-w-0">
        <SuspectWords suspect={suspect} blame={blame} onOpen={onOpen} />
        {suspect.clue && <SuspectClue clue={suspect.clue} />}
        {suspect.maskedContext && <MaskedClue masked={suspect.maskedContext} />}
        {isCurrent && decisionPointId !== null && !isReadOnly ? (
          <div className="mt-2">
            <VerdictButtons
              traceId={blame.traceId}
              decisionPointId={decisionPointId}
              alternatives={alternatives}
              suspectRank={rank}
              hasKeys
            />
          </div>
        ) : (
          verdict && <p className="mt-1 text-xs">{describeVerdict(verdict)}</p>
        )}
        <p className="mt-1.5 flex flex-wrap gap-x-3.5 text-xs [&>a]:text-accent [&>a:hover]:underline max-sm:[&>a]:min-h-6">
          <Link to={paths.scorecard} params={{ signature }} search={{ agent: blame.agent, option: step }}>
            Scorecard
          </Link>
          {suspect.kind === "chose" && (
            <TraceCount traces={{ ...counted, step, about: option, outcome: "bad" }}>
              Bad runs that chose it
            </TraceCount>
          )}
        </p>
      </div>
    </article>
  );
}

function describeVerdict({ verdict, shouldHaveBeen }: Verdict): string {
  if (verdict === "right") return "✓ Judged right";
  return shouldHaveBeen === null ? "✕ Judged wrong" : `✕ Should have been ${shouldHaveBeen}`;
}
