import { queryOptions, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { createRoute, Link, notFound } from "@tanstack/react-router";
import type { AgentSession, PageInfo, TraceRow } from "@whytrace/contract";
import { ApiError, api, queryString } from "../app/api.ts";
import { formatCost, formatCount, formatDuration } from "../app/format.ts";
import { PageHeader } from "../app/page-header.tsx";
import { paths } from "../app/paths.ts";
import { signedInRoute } from "../app/signed-in-route.tsx";
import { useRows } from "../app/use-rows.ts";
import { TraceRows } from "../traces/trace-rows.tsx";
import { buttonStyle } from "../ui/button.tsx";
import { Failure } from "../ui/notice.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { StatusBadge } from "../ui/status.tsx";

const LIMIT = 100;

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
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(sessionQuery(params.id)).catch((error: unknown) => {
      throw error instanceof ApiError && error.status === 404 ? notFound() : error;
    }),
  pendingComponent: SkeletonRows,
  component: SessionPage,
});

/** The traces of one session in the order they began. */
function SessionPage() {
  const { id } = sessionRoute.useParams();
  const { data: session } = useSuspenseQuery(sessionQuery(id));
  const traces = useQuery(tracesQuery(id));
  const { list } = useRows();
  return (
    <>
      <PageHeader
        title={id}
        count={`${session.traceCount.toLocaleString("en")} ${session.traceCount === 1 ? "trace" : "traces"}`}
      >
        <StatusBadge status={session.status} />
        <span className="flex flex-wrap gap-x-4 text-muted md:ml-auto">
          <span>{formatDuration(session.totalDuration)}</span>
          <span>{formatCost(session.totalCost)}</span>
          <span>{formatCount(session.totalTokens)} tokens</span>
        </span>
      </PageHeader>
      <div ref={list} className="flex-1 border-t border-line">
        {traces.isPending ? (
          <SkeletonRows />
        ) : traces.isError ? (
          <Failure error={traces.error} onRetry={() => void traces.refetch()} />
        ) : (
          <TraceRows traces={traces.data.traces} />
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
