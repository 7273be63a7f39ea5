import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { createRoute, Link } from "@tanstack/react-router";
import type { AgentSession, PageInfo } from "@whytrace/contract";
import { Ago } from "../app/ago.tsx";
import { api, queryString } from "../app/api.ts";
import { exact, formatCost, formatCount, formatDuration } from "../app/format.ts";
import { PageHeader } from "../app/page-header.tsx";
import { paths } from "../app/paths.ts";
import { pageOf, withoutAbsent } from "../app/search-params.ts";
import { signedInRoute } from "../app/signed-in-route.tsx";
import { useRows } from "../app/use-rows.ts";
import { Empty, Failure } from "../ui/notice.tsx";
import { Pager } from "../ui/pager.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { StatusIcon } from "../ui/status.tsx";

const LIMIT = 20;

const sessionsQuery = (search: { page?: number | undefined }) =>
  queryOptions({
    queryKey: ["sessions", search],
    queryFn: ({ signal }) =>
      api<PageInfo & { sessions: AgentSession[] }>(
        `/api/sessions${queryString({ ...search, limit: LIMIT })}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const sessionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.sessions,
  validateSearch: (search): { page?: number | undefined } => withoutAbsent({ page: pageOf(search.page) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(sessionsQuery(deps)),
  component: SessionsPage,
});

function SessionsPage() {
  const search = sessionsRoute.useSearch();
  const navigate = sessionsRoute.useNavigate();
  const sessions = useQuery(sessionsQuery(search));
  const { list } = useRows();
  return (
    <>
      <PageHeader title="Sessions" count={sessions.data?.total.toLocaleString("en")} />
      <div ref={list} aria-busy={sessions.isFetching} className="flex-1 border-t border-line">
        {sessions.isPending ? (
          <SkeletonRows />
        ) : sessions.isError ? (
          <Failure error={sessions.error} onRetry={() => void sessions.refetch()} />
        ) : sessions.data.total > 0 ? (
          <ul>
            {sessions.data.sessions.map((session) => (
              <Row key={session.sessionId} session={session} />
            ))}
          </ul>
        ) : (
          <Empty title="No sessions yet">
            <p>
              Give traces that belong together the same sessionId, for example all turns of one conversation.
            </p>
          </Empty>
        )}
      </div>
      {sessions.data && sessions.data.total > LIMIT && (
        <Pager
          page={search.page ?? 1}
          limit={LIMIT}
          total={sessions.data.total}
          onPage={(next) => void navigate({ search: withoutAbsent({ page: pageOf(next) }) })}
        />
      )}
    </>
  );
}

function Row({ session }: { session: AgentSession }) {
  const { sessionId, traceCount, totalCost, totalTokens, totalDuration, lastStartedAt, status } = session;
  return (
    <li className="relative flex min-h-9 flex-wrap items-center gap-x-5 gap-y-1 border-b border-line/60 px-4 py-1.5 hover:bg-panel focus-within:bg-panel">
      <span className="flex min-w-0 flex-1 basis-60 items-center gap-2">
        <StatusIcon status={status} />
        <Link
          to={paths.session}
          params={{ id: sessionId }}
          data-row
          className="truncate font-medium after:absolute after:inset-0"
        >
          {sessionId}
        </Link>
      </span>
      <span className="whitespace-nowrap">
        {traceCount.toLocaleString("en")} {traceCount === 1 ? "trace" : "traces"}
      </span>
      <span className="w-24 whitespace-nowrap text-right">{formatDuration(totalDuration)}</span>
      <span className="w-20 text-right">{formatCost(totalCost)}</span>
      <span className="w-20 text-right" title={exact(totalTokens)}>
        {formatCount(totalTokens)}
      </span>
      <span className="w-24 text-right text-muted">
        <Ago instant={lastStartedAt} />
      </span>
    </li>
  );
}
