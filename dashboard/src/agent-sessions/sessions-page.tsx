import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { createRoute } from "@tanstack/react-router";
import type { AgentSession, PageInfo } from "@whytrace/contract";
import { api, queryString } from "../client/api.ts";
import { sessionRows } from "../client/live-rows.ts";
import { paths } from "../client/paths.ts";
import { pageOf, withoutAbsent } from "../client/search-params.ts";
import { useLiveList } from "../client/use-live-list.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { Button } from "../ui/button.tsx";
import { NewPill } from "../ui/new-pill.tsx";
import { Empty } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Pager } from "../ui/pager.tsx";
import { Queried } from "../ui/queried.tsx";
import { useRows } from "../ui/use-rows.ts";
import { SessionRows, SessionRowsSkeleton } from "./session-rows.tsx";

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
  const { newCount, showNew } = useLiveList(
    sessionsQuery(search),
    sessionRows,
    () => void navigate({ search: {} }),
  );
  return (
    <>
      <PageHeader title="Sessions" count={sessions.data?.total.toLocaleString("en")} />
      <NewPill newCount={newCount} onShow={showNew} />
      <div ref={list} aria-busy={sessions.isFetching} className="flex-1 border-t border-line">
        <Queried query={sessions} skeleton={<SessionRowsSkeleton />}>
          {(data) =>
            data.sessions.length > 0 ? (
              <SessionRows sessions={data.sessions} />
            ) : data.total > 0 ? (
              <Empty title={`There is no page ${search.page ?? 1}`}>
                <Button onClick={() => void navigate({ search: {} })}>To the first page</Button>
              </Empty>
            ) : (
              <Empty title="No sessions yet">
                <p>
                  Give traces that belong together the same sessionId, for example all turns of one
                  conversation.
                </p>
              </Empty>
            )
          }
        </Queried>
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
