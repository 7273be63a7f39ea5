import type { AgentSession } from "@whytrace/contract";
import type { ReactNode } from "react";
import { TraceCount } from "../traces/trace-count.tsx";
import { formatCost, formatCount, formatDuration, formatExact } from "../ui/format/format.ts";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonBar } from "../ui/skeleton.tsx";
import { AgentNames } from "./agent-names.tsx";

/** What the session was asked, by which agents, and its totals. */
export function AgentSessionSummary({ session }: { session: AgentSession | undefined }) {
  return (
    <>
      <Description session={session} />
      <Totals session={session} />
    </>
  );
}

/** The summary while it loads. */
export function AgentSessionSummarySkeleton() {
  return (
    <div role="status" aria-label="Loading" className="animate-[fade-in_0s_150ms_both]">
      <AgentSessionSummary session={undefined} />
    </div>
  );
}

/** What the session began with and which agents took part, or placeholders while they load. */
function Description({ session }: { session: AgentSession | undefined }) {
  return (
    <div className="grid min-h-14 grid-cols-[minmax(0,1fr)] content-start gap-0.5 px-4 pb-3">
      {session ? (
        <>
          <p
            className={`line-clamp-2 ${session.firstRequest === null ? "text-muted" : "text-base"}`}
            title="The first request"
          >
            {session.firstRequest === null ? "No request recorded" : `“${session.firstRequest}”`}
          </p>
          <p className="flex min-w-0 text-muted">
            <AgentNames agents={session.agents} />
          </p>
        </>
      ) : (
        <>
          <SkeletonBar className="my-1 w-1/2" />
          <SkeletonBar className="my-1 w-1/4" />
        </>
      )}
    </div>
  );
}

/** The session's totals, or placeholders while they load. */
function Totals({ session }: { session: AgentSession | undefined }) {
  const placeholder = <SkeletonBar className="my-1 w-14" />;
  return (
    <dl className="grid grid-cols-3 gap-x-8 gap-y-2 px-4 pb-4 sm:flex sm:flex-wrap">
      <Total label="Traces">{session ? session.traceCount.toLocaleString("en") : placeholder}</Total>
      {session && session.badTraces > 0 && (
        <Total label="Bad">
          <TraceCount traces={{ sessionId: session.sessionId, outcome: "bad" }}>
            {session.badTraces.toLocaleString("en")}
          </TraceCount>
        </Total>
      )}
      <Total label="Duration" title="Sum of the trace durations">
        {session ? sum(formatDuration(session.totalDuration)) : placeholder}
      </Total>
      <Total label="Cost" title={session && session.totalCost !== null ? `$${session.totalCost}` : undefined}>
        {session ? sum(formatCost(session.totalCost)) : placeholder}
      </Total>
      <Total label="Tokens" title={session && formatExact(session.totalTokens)}>
        {session ? sum(formatCount(session.totalTokens)) : placeholder}
      </Total>
      <Total label="First started">
        {session ? <RelativeTime instant={session.firstStartedAt} /> : placeholder}
      </Total>
      <Total label="Last started">
        {session ? <RelativeTime instant={session.lastStartedAt} /> : placeholder}
      </Total>
    </dl>
  );
}

/** Σ marks a sum; an unknown value has none. */
const sum = (value: string) => (value === "—" ? value : `Σ ${value}`);

function Total({
  label,
  title,
  children,
}: {
  label: string;
  title?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="text-base font-medium" title={title}>
        {children}
      </dd>
    </div>
  );
}
