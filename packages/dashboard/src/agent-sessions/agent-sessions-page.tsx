import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { agentSessionRows } from "../client/live-rows.ts";
import { omitEmpty, parsePage } from "../client/search-params.ts";
import { useLiveList } from "../client/use-live-list.ts";
import { paths } from "../paths.ts";
import { FirstSteps } from "../shell/first-steps.tsx";
import { Button } from "../ui/controls/button.tsx";
import { useListShortcuts } from "../ui/hooks/use-list-shortcuts.ts";
import { NewRowsButton } from "../ui/new-rows-button.tsx";
import { EmptyState } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Pager } from "../ui/pager.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { AgentSessionRows, AgentSessionRowsSkeleton } from "./agent-session-rows.tsx";
import { AGENT_SESSIONS_PAGE_SIZE, agentSessionsQuery } from "./agent-sessions-queries.ts";

const ROUTE = "/signed-in/sessions";
const route = getRouteApi(ROUTE);

export const agentSessionsPage = createLazyRoute(ROUTE)({ component: AgentSessionsPage });

function AgentSessionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const sessions = useQuery(agentSessionsQuery(search));
  const { list } = useListShortcuts();
  const { newCount, showNew } = useLiveList(
    agentSessionsQuery(search),
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
              <EmptyState title={`Page ${search.page ?? 1} does not exist`}>
                <Button onClick={() => void navigate({ search: {} })}>Go to first page</Button>
              </EmptyState>
            ) : (
              <EmptyState title="No sessions yet">
                <p>
                  Give related traces, such as the turns of one conversation, the same sessionId to group them
                  here.
                </p>
                <FirstSteps path={paths.agentSessions} />
              </EmptyState>
            )
          }
        </QueryResult>
      </div>
      {sessions.data && sessions.data.total > AGENT_SESSIONS_PAGE_SIZE && (
        <Pager
          page={search.page ?? 1}
          limit={AGENT_SESSIONS_PAGE_SIZE}
          total={sessions.data.total}
          onPage={(next) => void navigate({ search: omitEmpty({ page: parsePage(next) }) })}
        />
      )}
    </>
  );
}
