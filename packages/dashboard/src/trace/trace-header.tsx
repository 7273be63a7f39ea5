import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useContext, useState } from "react";
import { omitEmpty } from "../client/search-params.ts";
import { useKeptUntil } from "../client/use-kept-until.ts";
import { useIsReadOnly } from "../client/use-role.ts";
import { IssueLink } from "../issues/issue-link.tsx";
import { traceIssuesQuery } from "../issues/issues-query.ts";
import { paths } from "../paths.ts";
import { OutcomeBadge } from "../scores/outcome-badge.tsx";
import { outcomeWords } from "../scores/outcome-words.ts";
import { ReviewButtons } from "../scores/review-buttons.tsx";
import { ReviewLine } from "../scores/review-line.tsx";
import { useReview } from "../scores/use-review.ts";
import { useRunOutcome } from "../scores/use-run-outcome.ts";
import { Term } from "../shell/term.tsx";
import { Tag } from "../ui/badges.tsx";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { formatCost, formatCount, formatDate, formatDuration, formatExact } from "../ui/format/format.ts";
import { RelativeTime } from "../ui/relative-time.tsx";
import { StatusBadge } from "../ui/status.tsx";
import { DeleteTraceButton } from "./delete-trace-button.tsx";
import type { Outline } from "./model/outline.ts";
import type { TraceTree } from "./model/trace-tree.ts";
import { ShareContext } from "./payload/share-context.ts";
import { ShareDialog } from "./share-dialog.tsx";
import { TraceCopyMenu } from "./trace-copy-menu.tsx";
import { useIsWhyOffered } from "./use-is-why-offered.ts";
import { useRunBlame } from "./use-run-blame.ts";
import { FailureLine, FailureLineSkeleton } from "./why/failure-line.tsx";
import { partnerSearch } from "./why/partner-search.ts";

const MAX_TAGS = 3;

/** The trace's name, status, tags and metrics. */
export function TraceHeader({ tree }: { tree: TraceTree }) {
  const { outline } = tree;
  const isShared = useContext(ShareContext) !== null;
  const isChangeable = !useIsReadOnly() && !isShared;
  const [isSharing, setIsSharing] = useState(false);
  const isRunning = outline.status === "RUNNING";
  const { outcome: judged, scores } = useRunOutcome(outline.id, !isShared);
  const { blame, isLoading } = useRunBlame(tree);
  const isWhyOffered = useIsWhyOffered(tree);
  return (
    <header className="shrink-0 px-4 pb-2.5 pt-2.5">
      <div className="flex items-center gap-2.5 max-xl:flex-wrap">
        {!isShared && (
          <Link to={paths.traces} className="shrink-0 text-muted hover:text-text max-sm:hidden">
            Traces <span aria-hidden="true">/</span>
          </Link>
        )}
        <h1 className="min-w-0 truncate text-lg font-semibold max-xl:flex-1" title={outline.name}>
          {outline.name}
        </h1>
        <span className="flex shrink-0 items-center gap-1.5">
          <StatusBadge status={outline.status} />
          <OutcomeBadge status={outline.status} outcome={judged?.outcome} />
          <span className="flex gap-1.5 max-xl:hidden">
            {outline.tags.slice(0, MAX_TAGS).map((tag, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: tags may repeat
              <Tag key={index}>{tag}</Tag>
            ))}
            {outline.tags.length > MAX_TAGS && (
              <span className="text-xs leading-5 text-muted" title={outline.tags.slice(MAX_TAGS).join(", ")}>
                +{outline.tags.length - MAX_TAGS}
              </span>
            )}
          </span>
        </span>
        <span className="ml-auto flex shrink-0 flex-wrap gap-2 max-xl:w-full">
          {isChangeable && <ReviewButtons traceId={outline.id} />}
          {tree.decisions.length > 0 && !isShared && (
            <Link
              to={paths.compare}
              search={partnerSearch(outline.id, blame)}
              title="Find a similar trace that went well and compare their decisions"
              className={buttonStyle()}
            >
              Compare
            </Link>
          )}
          {isChangeable && (
            <Button className="max-sm:hidden" onClick={() => setIsSharing(true)}>
              Share
            </Button>
          )}
          <TraceCopyMenu traceId={outline.id} onShare={() => setIsSharing(true)} />
          {isChangeable && <DeleteTraceButton id={outline.id} name={outline.name} />}
        </span>
      </div>
      {blame && <FailureLine blame={blame} />}
      {isLoading && <FailureLineSkeleton />}
      <dl
        tabIndex={0}
        aria-label="Metrics"
        className="relative mt-1.5 flex gap-x-6 gap-y-1 overflow-x-auto whitespace-nowrap [scrollbar-width:none] sm:flex-wrap"
      >
        {judged && judged.outcome !== "open" && (
          <Fact label={<Term word="outcome">Outcome</Term>}>
            <Link
              to={paths.outcomes}
              search={omitEmpty({ agent: judged.definition.agent ?? undefined })}
              title={[...judged.reasons.map(({ text }) => text), "See and change what counts as bad"].join(
                "\n",
              )}
              className={`block max-w-96 truncate hover:underline max-sm:max-w-64 ${judged.outcome === "bad" ? "text-error" : ""}`}
            >
              {outcomeWords(judged, scores)}
            </Link>
          </Fact>
        )}
        {judged?.outcome === "bad" && !isShared && <IssuesFact traceId={outline.id} />}
        {!isShared && <ReviewFact traceId={outline.id} />}
        <Fact label="Duration">
          {formatDuration(tree.durationMs)}
          {isRunning && <span className="font-normal text-muted"> so far</span>}
        </Fact>
        <Fact label="Cost">
          <Derived isSum={tree.isCostDerived && tree.costUsd !== null}>{formatCost(tree.costUsd)}</Derived>
        </Fact>
        <Fact label="Tokens">
          <Derived isSum={tree.isTokenCountDerived && tree.tokenCount !== null}>
            <span title={formatExact(tree.tokenCount)}>{formatCount(tree.tokenCount)}</span>
          </Derived>
        </Fact>
        <Fact label="Spans">{formatExact(tree.spans.length)}</Fact>
        <Fact label="Decisions">{formatExact(tree.decisions.length)}</Fact>
        <Fact label="Errors">
          <span className={tree.errors.length > 0 ? "text-error" : ""}>
            {formatExact(tree.errors.length)}
          </span>
        </Fact>
        {scores && scores.length > 0 && <Fact label="Scores">{formatExact(scores.length)}</Fact>}
        {outline.sessionId !== null && (
          <Fact label="Session">
            {isShared ? (
              <span title={outline.sessionId} className="block max-w-40 truncate font-mono text-xs leading-5">
                {outline.sessionId}
              </span>
            ) : (
              <Link
                to={paths.agentSession}
                params={{ id: outline.sessionId }}
                title={outline.sessionId}
                className="block max-w-40 truncate font-mono text-xs leading-5 text-accent hover:underline"
              >
                {outline.sessionId}
              </Link>
            )}
          </Fact>
        )}
        <Fact label="Started">
          <RelativeTime instant={outline.startedAt} />
        </Fact>
        {!isShared && <KeptUntil outline={outline} />}
      </dl>
      <ShareDialog
        traceId={outline.id}
        isWhyOffered={isWhyOffered}
        isOpen={isSharing}
        onClose={() => setIsSharing(false)}
      />
    </header>
  );
}

const MAX_ISSUES = 2;

/** The issues that count this run. */
function IssuesFact({ traceId }: { traceId: string }) {
  const { data: issues = [] } = useQuery(traceIssuesQuery(traceId));
  if (issues.length === 0) return null;
  return (
    <Fact label={issues.length === 1 ? "Issue" : "Issues"}>
      <span className="flex gap-x-3 sm:flex-wrap">
        {issues.slice(0, MAX_ISSUES).map((issue) => (
          <IssueLink key={issue.number} issue={issue} className="block max-w-72 truncate max-sm:max-w-56" />
        ))}
        {issues.length > MAX_ISSUES && (
          <span className="font-normal text-muted">+{issues.length - MAX_ISSUES}</span>
        )}
      </span>
    </Fact>
  );
}

function ReviewFact({ traceId }: { traceId: string }) {
  const review = useReview(traceId);
  const isShown = review.value !== null || review.error || review.isSaving || review.undo;
  return (
    isShown && (
      <Fact label="Your review">
        <ReviewLine review={review} />
      </Fact>
    )
  );
}

function KeptUntil({ outline }: { outline: Outline }) {
  const keptUntilMs = useKeptUntil()(outline);
  if (keptUntilMs === null) return null;
  return (
    <Fact label="Kept until">
      <time
        dateTime={new Date(keptUntilMs).toISOString()}
        title={`${new Date(keptUntilMs).toISOString()}\nThen it is deleted. Settings, Account says for how long traces are kept.`}
      >
        {formatDate(keptUntilMs)}
      </time>
    </Fact>
  );
}

function Fact({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{label}</dt>
      <dd className="text-base font-semibold leading-5">{children}</dd>
    </div>
  );
}

/** Marks a value that is the sum of the spans, because the trace has no total. */
function Derived({ isSum, children }: { isSum: boolean; children: ReactNode }) {
  if (!isSum) return children;
  return (
    <span title="Sum of its spans">
      {children} <span aria-hidden="true">Σ</span>
      <span className="sr-only">, sum of its spans</span>
    </span>
  );
}
