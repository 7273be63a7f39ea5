import { Link } from "@tanstack/react-router";
import type { Blame, Suspect, Verdict } from "@whytrace/contract";
import { type MouseEvent, useEffect, useRef } from "react";
import { paths } from "../../paths.ts";
import type { CountedTraces } from "../../traces/trace-count.tsx";
import { typeLabel } from "../../ui/badges.tsx";
import { formatDuration } from "../../ui/format.ts";
import { RankBadge } from "../../ui/rank-badge.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import { VerdictButtons } from "../../verdicts/verdict-buttons.tsx";
import { failureLift } from "./failure-lift.ts";
import { SuspectEvidence } from "./suspect-evidence.tsx";
import { SuspectRates } from "./suspect-rates.tsx";

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

/** A decision that may have made the difference: what followed it elsewhere, and what followed the alternative. */
export function SuspectCard(props: SuspectCardProps) {
  const { blame, suspect, rank, counted, alternatives, isCurrent, onOpen } = props;
  const { type, option, alternative, signature, suspicion, decisionPointId, verdict } = suspect;
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isCurrent && rank > 1) element.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent, rank]);
  const lift = failureLift(suspect);
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen();
  };
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
        <div className="flex flex-wrap items-baseline gap-x-2">
          <h3 className="min-w-0">
            <a
              href={`?decision=${encodeURIComponent(decisionPointId)}`}
              onClick={open}
              className="font-semibold hover:underline max-sm:inline-flex max-sm:min-h-6 max-sm:items-center max-sm:gap-1.5"
            >
              <span className="text-xs text-[var(--tint)]">{typeLabel(type)}</span> {option}
            </a>
          </h3>
          <span className="text-xs text-muted">{suspicion}</span>
          {lift !== null && lift > 1.05 && (
            <span
              className="ml-auto whitespace-nowrap font-semibold text-error"
              title="Share that failed after this choice, divided by that after the alternative"
            >
              ×{lift < 10 ? lift.toFixed(1) : Math.round(lift)}{" "}
              <span className="text-xs font-normal text-muted">likelier to fail</span>
            </span>
          )}
        </div>
        <p className="text-xs text-muted">{describePlace(suspect)}</p>
        <SuspectRates suspect={suspect} counted={counted} />
        <SuspectEvidence blame={blame} suspect={suspect} counted={counted} />
        {isCurrent ? (
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
          {alternative && (
            <Link to={paths.compare} search={{ a: blame.traceId, step: alternative.step }}>
              Compare with a run that chose {alternative.option}
            </Link>
          )}
          <Link to={paths.scorecard} params={{ signature }} search={{ agent: blame.agent }}>
            Scorecard
          </Link>
        </p>
      </div>
    </article>
  );
}

function describeVerdict({ verdict, shouldHaveBeen }: Verdict): string {
  if (verdict === "right") return "✓ Judged right";
  return shouldHaveBeen === null ? "✕ Judged wrong" : `✕ Should have been ${shouldHaveBeen}`;
}

function describePlace({ beforeMs, isSameSpan, place, after }: Suspect): string {
  const where = isSameSpan ? ", same span" : place === null ? "" : `, in ${place}`;
  const limit =
    after === null ? "" : after.option === "" ? ", as the first decision" : `, after ${after.option}`;
  return `${formatDuration(beforeMs)} before${where} · share that failed${limit}`;
}
