import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { createRoute } from "@tanstack/react-router";
import type { AgentSession, PageInfo } from "@whytrace/contract";
import { api, queryString } from "../client/api.ts";
import { agentSessionRows } from "../client/live-rows.ts";
import { paths } from "../client/paths.ts";
import { omitEmpty, parsePage } from "../client/search-params.ts";
import { useLiveList } from "../client/use-live-list.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { Button } from "../ui/button.tsx";
import { NewRowsButton } from "../ui/new-rows-button.tsx";
import { EmptyState } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Pager } from "../ui/pager.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { useListShortcuts } from "../ui/use-list-shortcuts.ts";
import { AgentSessionRows, AgentSessionRowsSkeleton } from "./agent-session-rows.tsx";

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

export const agentSessionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.sessions,
  validateSearch: (search): { page?: number | undefined } => omitEmpty({ page: parsePage(search.page) }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(sessionsQuery(deps)),
  component: AgentSessionsPage,
});

function AgentSessionsPage() {
  const search = agentSessionsRoute.useSearch();
  const navigate = agentSessionsRoute.useNavigate();
  const sessions = useQuery(sessionsQuery(search));
  const { list } = useListShortcuts();
  const { newCount, showNew } = useLiveList(
    sessionsQuery(search),
    agentSessionRows,
    () => void navigate({ search: {} }),
  );
  return (
    <>
      <PageHeader title="Sessions" count={sessions.data?.total.toLocaleString("en")} />
      <NewRowsButton newCount={newCount} onShow={showNew} />
      <div ref={list} aria-busy={sessions.isFetching} className="flex-1 border-t border-line">
        <QueryResult query={sessions} skeleton={<AgentSessionRowsSkeleton />}>
          {(data) =>
            data.sessions.length > 0 ? (
              <AgentSessionRows sessions={data.sessions} />
            ) : data.total > 0 ? (
              <EmptyState title={`There is no page ${search.page ?? 1}`}>
                <Button onClick={() => void navigate({ search: {} })}>To the first page</Button>
              </EmptyState>
            ) : (
              <EmptyState title="No sessions yet">
                <p>
                  Give traces that belong together the same sessionId, for example all turns of one
                  conversation.
                </p>
              </EmptyState>
            )
          }
        </QueryResult>
      </div>
      {sessions.data && sessions.data.total > LIMIT && (
        <Pager
          page={search.page ?? 1}
          limit={LIMIT}
          total={sessions.data.total}
          onPage={(next) => void navigate({ search: omitEmpty({ page: parsePage(next) }) })}
        />
      )}
    </>
  );
}
