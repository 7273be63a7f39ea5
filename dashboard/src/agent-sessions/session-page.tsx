import { queryOptions, useQuery } from "@tanstack/react-query";
import { createRoute, Link } from "@tanstack/react-router";
import type { AgentSession, PageInfo, TraceRow } from "@whytrace/contract";
import type { ReactNode } from "react";
import { ApiError, api, queryString } from "../client/api.ts";
import { paths } from "../client/paths.ts";
import { oneOf, withoutAbsent } from "../client/search-params.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { TraceRows } from "../traces/trace-rows.tsx";
import { Ago } from "../ui/ago.tsx";
import { buttonStyle } from "../ui/button.tsx";
import { exact, formatCost, formatCount, formatDuration } from "../ui/format.ts";
import { Empty } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Queried } from "../ui/queried.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { SkeletonBar, SkeletonRows } from "../ui/skeleton.tsx";
import { StatusBadge } from "../ui/status.tsx";
import { useRows } from "../ui/use-rows.ts";
import { SessionTimeline } from "./session-timeline.tsx";

const LIMIT = 100;
const VIEWS = ["timeline", "table"] as const;
type View = (typeof VIEWS)[number];

const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ["agent-session", id],
    queryFn: ({ signal }) => api<AgentSession>(`/api/sessions/${encodeURIComponent(id)}`, { signal }),
  });
const tracesQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ["traces", "of-session", sessionId],
    queryFn: ({ signal }) =>
      api<PageInfo & { traces: TraceRow[] }>(
        `/api/traces${queryString({ sessionId, sort: "oldest", limit: LIMIT })}`,
        { signal },
      ),
  });

export const sessionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.session,
  validateSearch: (search): { view?: View | undefined } => withoutAbsent({ view: oneOf(VIEWS, search.view) }),
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(sessionQuery(id));
    void queryClient.prefetchQuery(tracesQuery(id));
  },
  component: SessionPage,
});

/** One session: what it took in all, and its traces in the order they began. */
function SessionPage() {
  const { id } = sessionRoute.useParams();
  const { view = "timeline" } = sessionRoute.useSearch();
  const navigate = sessionRoute.useNavigate();
  const session = useQuery(sessionQuery(id));
  const traces = useQuery(tracesQuery(id));
  const { list } = useRows();
  if (session.error instanceof ApiError && session.error.status === 404)
    return (
      <>
        <PageHeader title={id} />
        <Empty title="There is no such session">
          <p>No trace has this sessionId. Its traces may have been deleted.</p>
          <Link to={paths.sessions} className={buttonStyle("primary")}>
            To your sessions
          </Link>
        </Empty>
      </>
    );
  return (
    <>
      <div className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
        <Link
          to={paths.sessions}
          className="text-muted hover:text-text max-sm:flex max-sm:min-h-11 max-sm:items-center"
        >
          Sessions
        </Link>
        <span aria-hidden="true" className="text-muted">
          /
        </span>
        <h1 className="min-w-0 text-lg font-semibold">{id}</h1>
        {session.data && <StatusBadge status={session.data.status} />}
      </div>
      <Queried query={session} skeleton={<FactsSkeleton />}>
        {(data) => <Facts session={data} />}
      </Queried>
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 pb-2.5">
        <h2 className="font-semibold">Traces</h2>
        <div className="ml-auto">
          <Segmented
            label="View"
            options={VIEWS}
            value={view}
            onChange={(next) => void navigate({ search: next === "timeline" ? {} : { view: next } })}
          />
        </div>
      </div>
      <div ref={list} className="flex-1">
        {!session.error && (
          <Queried query={traces} skeleton={<SkeletonRows />}>
            {(data) =>
              view === "table" ? <TraceRows traces={data.traces} /> : <SessionTimeline traces={data.traces} />
            }
          </Queried>
        )}
        {traces.data && traces.data.total > LIMIT && (
          <div className="p-4">
            <Link to={paths.traces} search={{ sessionId: id, sort: "oldest" }} className={buttonStyle()}>
              All {traces.data.total.toLocaleString("en")} traces
            </Link>
          </div>
        )}
      </div>
    </>
  );
}

/** What the session took in all; while that is not known, the same lines without figures. */
function Facts({ session }: { session: AgentSession | undefined }) {
  const blank = <SkeletonBar className="my-1 w-14" />;
  return (
    <dl className="grid grid-cols-3 gap-x-8 gap-y-2 px-4 pb-4 sm:flex sm:flex-wrap">
      <Fact label="Traces">{session ? session.traceCount.toLocaleString("en") : blank}</Fact>
      <Fact label="Duration" title="The sum of the traces' durations">
        {session ? sum(formatDuration(session.totalDuration)) : blank}
      </Fact>
      <Fact label="Cost" title={session && session.totalCost !== null ? `$${session.totalCost}` : undefined}>
        {session ? sum(formatCost(session.totalCost)) : blank}
      </Fact>
      <Fact label="Tokens" title={session && exact(session.totalTokens)}>
        {session ? sum(formatCount(session.totalTokens)) : blank}
      </Fact>
      <Fact label="First started">{session ? <Ago instant={session.firstStartedAt} /> : blank}</Fact>
      <Fact label="Last started">{session ? <Ago instant={session.lastStartedAt} /> : blank}</Fact>
    </dl>
  );
}

/** Σ marks a figure made of others; what is unknown is not a sum. */
const sum = (figure: string) => (figure === "—" ? figure : `Σ ${figure}`);

function Fact({
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

function FactsSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="animate-[fade-in_0s_150ms_both]">
      <Facts session={undefined} />
    </div>
  );
}
