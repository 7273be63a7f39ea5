import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import { ApiError } from "../client/api.ts";
import { useLiveUpdates } from "../client/live.ts";
import { useCoalescedRefetch } from "../client/use-coalesced-refetch.ts";
import { paths } from "../paths.ts";
import { OutcomeBadge } from "../scores/outcome-badge.tsx";
import { TraceRows } from "../traces/trace-rows.tsx";
import { buttonStyle } from "../ui/controls/button.tsx";
import { SegmentedControl } from "../ui/controls/segmented-control.tsx";
import { useListShortcuts } from "../ui/hooks/use-list-shortcuts.ts";
import { EmptyState } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { StatusBadge } from "../ui/status.tsx";
import { AgentSessionConversation } from "./agent-session-conversation.tsx";
import { AgentSessionSummary, AgentSessionSummarySkeleton } from "./agent-session-summary.tsx";
import { AgentSessionTimeline } from "./agent-session-timeline.tsx";
import {
  AGENT_SESSION_VIEWS,
  agentSessionQuery,
  MAX_TRACES_OF_AGENT_SESSION,
  tracesOfAgentSessionQuery,
} from "./agent-sessions-queries.ts";

const MIN_REFETCH_INTERVAL_MS = 1_000;
const ROUTE = "/signed-in/sessions/$id";
const route = getRouteApi(ROUTE);

export const agentSessionPage = createLazyRoute(ROUTE)({ component: AgentSessionPage });

/** One agent session: its totals, and its traces sorted by start. */
function AgentSessionPage() {
  const { id } = route.useParams();
  const { view = "timeline" } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useQuery(agentSessionQuery(id));
  const traces = useQuery(tracesOfAgentSessionQuery(id));
  // A change does not name its session, so every change may concern this one. New traces are added below the others.
  useLiveUpdates(
    useCoalescedRefetch(() => Promise.all([session.refetch(), traces.refetch()]), MIN_REFETCH_INTERVAL_MS),
  );
  const { list } = useListShortcuts();
  if (session.error instanceof ApiError && session.error.status === 404)
    return (
      <>
        <PageHeader title={id} />
        <EmptyState title="Session not found">
          <p>No trace has this session ID. Its traces may have been deleted.</p>
          <Link to={paths.agentSessions} className={buttonStyle("primary")}>
            View all sessions
          </Link>
        </EmptyState>
      </>
    );
  return (
    <>
      <div className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
        <Link
          to={paths.agentSessions}
          className="text-muted hover:text-text max-sm:flex max-sm:min-h-11 max-sm:items-center"
        >
          Sessions
        </Link>
        <span aria-hidden="true" className="text-muted">
          /
        </span>
        <h1 className="min-w-0 text-lg font-semibold">{id}</h1>
        {session.data && <StatusBadge status={session.data.status} />}
        {session.data && <OutcomeBadge status={session.data.status} outcome={session.data.outcome} />}
      </div>
      <QueryResult query={session} skeleton={<AgentSessionSummarySkeleton />}>
        {(data) => <AgentSessionSummary session={data} />}
      </QueryResult>
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 pb-2.5">
        <h2 className="font-semibold">Traces</h2>
        <div className="ml-auto">
          <SegmentedControl
            label="View"
            options={AGENT_SESSION_VIEWS}
            value={view}
            onChange={(next) => void navigate({ search: next === "timeline" ? {} : { view: next } })}
          />
        </div>
      </div>
      <div ref={list} className="flex-1">
        {!session.error && (
          <QueryResult query={traces} skeleton={<SkeletonRows />}>
            {(data) =>
              view === "table" ? (
                <TraceRows traces={data.traces} />
              ) : view === "conversation" ? (
                <AgentSessionConversation traces={data.traces} />
              ) : (
                <AgentSessionTimeline traces={data.traces} />
              )
            }
          </QueryResult>
        )}
        {traces.data && traces.data.total > MAX_TRACES_OF_AGENT_SESSION && (
          <div className="p-4">
            <Link to={paths.traces} search={{ sessionId: id, sort: "oldest" }} className={buttonStyle()}>
              View all {traces.data.total.toLocaleString("en")} traces
            </Link>
          </div>
        )}
      </div>
    </>
  );
}
