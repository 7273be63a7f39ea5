import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ComparedContextKey, ComparedDecision, Comparison, IssueDetail } from "@whytrace/contract";
import { comparisonQuery } from "../compare/compare-queries.ts";
import { RELATION_WORDS } from "../compare/model/relation-words.ts";
import { paths } from "../paths.ts";
import { Panel } from "../ui/panel.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonLine } from "../ui/skeleton.tsx";
import { tintedStyle } from "../ui/tinted-style.ts";

const MAX_KEYS = 3;
const MAX_REASONING = 240;
const SIDES = "grid grid-cols-2 max-sm:grid-cols-1";
const SIDE =
  "grid min-w-0 content-start gap-1 p-3 not-first:border-l not-first:border-line max-sm:not-first:border-l-0 max-sm:not-first:border-t";

/** What the newest run did differently from the most similar run that went well. */
export function NearestRun({ issue: { newestTraceId, nearestGoodRun } }: { issue: IssueDetail }) {
  if (nearestGoodRun === undefined || newestTraceId === null) return null;
  return (
    <Panel
      title="Nearest run that went well"
      legend={
        nearestGoodRun !== null && (
          <Link
            to={paths.compare}
            search={{ a: newestTraceId, b: nearestGoodRun }}
            className="text-accent hover:underline"
          >
            Compare
          </Link>
        )
      }
    >
      {nearestGoodRun === null ? (
        <p className="p-3 text-muted">No run of this agent that went well decided the same before.</p>
      ) : (
        <FirstDifference a={newestTraceId} b={nearestGoodRun} />
      )}
    </Panel>
  );
}

function FirstDifference({ a, b }: { a: string; b: string }) {
  const comparison = useQuery(comparisonQuery(a, b));
  return (
    <QueryResult query={comparison} skeleton={<DifferenceSkeleton />}>
      {(data) => <Difference comparison={data} />}
    </QueryResult>
  );
}

/** The parts of a difference, and about as high. */
const DifferenceSkeleton = () => (
  <div role="status" aria-label="Loading" data-skeleton className="animate-[fade-in_0s_150ms_both]">
    <div className="px-3 pt-2 text-xs">
      <SkeletonLine className="w-48" />
    </div>
    <div className={SIDES}>
      {["This issue", "Went well"].map((side) => (
        <div key={side} className={SIDE}>
          <div className="text-xs">
            <SkeletonLine className="w-32" />
          </div>
          <SkeletonLine className="w-40" />
          <div>
            <SkeletonLine className="w-full" />
            <SkeletonLine className="w-1/2" />
          </div>
          {Array.from({ length: MAX_KEYS }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical
            <div key={index} className="text-xs">
              <SkeletonLine className="w-2/3" />
            </div>
          ))}
        </div>
      ))}
    </div>
  </div>
);

function Difference({ comparison }: { comparison: Comparison }) {
  const { a, b, lines, divergence, contextDivergence } = comparison;
  const first = divergence ?? contextDivergence;
  const line = first ? lines[first.line] : undefined;
  if (!first || !line)
    return <p className="p-3 text-muted">Both runs decided the same: the difference is not in a decision.</p>;
  const keys = first.context.filter(({ isEqual }) => !isEqual).slice(0, MAX_KEYS);
  return (
    <>
      <p className="px-3 pt-2 text-xs text-muted">
        {first.line === 0
          ? "The first decision differs"
          : `Same first ${first.line === 1 ? "decision" : `${first.line} decisions`}`}
        {line.relation !== "same" && `: ${RELATION_WORDS[line.relation].title}`}
      </p>
      <div className={SIDES}>
        <Side title="This issue" traceId={a.id} decision={line.a} keys={keys} side="a" />
        <Side title="Went well" traceId={b.id} decision={line.b} keys={keys} side="b" />
      </div>
    </>
  );
}

interface SideProps {
  title: string;
  traceId: string;
  decision: ComparedDecision | null;
  keys: readonly ComparedContextKey[];
  side: "a" | "b";
}

function Side({ title, traceId, decision, keys, side }: SideProps) {
  return (
    <div className={SIDE}>
      <p className="text-xs text-muted">
        {title} ·{" "}
        <Link
          to={paths.trace}
          params={{ id: traceId }}
          search={decision ? { decision: decision.id } : {}}
          className="text-accent underline"
        >
          {traceId.slice(0, 8)}
        </Link>
      </p>
      {decision === null ? (
        <p className="text-muted">decided nothing here</p>
      ) : (
        <>
          <p
            style={tintedStyle(decision.type)}
            className="flex items-center gap-1.5 font-semibold text-[var(--tint)]"
          >
            <span aria-hidden="true" className="size-2 shrink-0 rotate-45 rounded-[1px] bg-current" />
            <span className="min-w-0 truncate" title={decision.option}>
              {decision.option}
            </span>
          </p>
          {decision.reasoning && (
            <p className="break-words text-muted">“{decision.reasoning.slice(0, MAX_REASONING)}”</p>
          )}
        </>
      )}
      {keys.map((key) => (
        <code key={key.key} className="break-words font-mono text-xs">
          {key.key}: {(side === "a" ? key.a : key.b) ?? "absent"}
        </code>
      ))}
    </div>
  );
}
