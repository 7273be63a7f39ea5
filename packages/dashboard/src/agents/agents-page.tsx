import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import type { AgentHealth } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { FirstSteps } from "../shell/first-steps.tsx";
import { Tag } from "../ui/badges.tsx";
import { formatCost, formatDuration, formatExact } from "../ui/format/format.ts";
import { useListShortcuts } from "../ui/hooks/use-list-shortcuts.ts";
import { type IntervalScale, rateScale } from "../ui/intervals/interval-scale.ts";
import { type Column, ListTable } from "../ui/list-table.tsx";
import { EmptyState } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { CountedRange } from "../why/counted-range.tsx";
import { useLiveInsights } from "../why/use-live-insights.ts";
import { healthQuery } from "./agents-queries.ts";
import { BadShare } from "./bad-share.tsx";

const ROUTE = "/signed-in/agents";
const route = getRouteApi(ROUTE);

export const agentsPage = createLazyRoute(ROUTE)({ component: AgentsPage });

const COLUMNS: Column[] = [
  ["Agent", ""],
  ["Release", "w-32"],
  ["Runs", "w-20 text-right"],
  ["Bad runs", "w-52"],
  ["Time (median)", "w-32 text-right max-xl:hidden"],
  ["Cost", "w-24 text-right max-xl:hidden"],
  ["Last run", "w-28 text-right"],
];
const CELL = "h-11 px-2.5 first:pl-4 last:pr-4 not-first:overflow-hidden max-lg:h-auto";
const ROW =
  "relative border-b border-line/60 hover:bg-panel focus-within:bg-panel max-lg:grid max-lg:grid-cols-[minmax(0,1fr)_auto] max-lg:items-center max-lg:gap-y-1 max-lg:py-2.5";

function AgentsPage() {
  const { range } = route.useSearch();
  const navigate = route.useNavigate();
  const health = useQuery(healthQuery(range));
  const { list } = useListShortcuts();
  useLiveInsights();
  return (
    <>
      <PageHeader title="Agents" count={health.data && formatExact(health.data.agents.length)}>
        <div className="md:ml-auto">
          <CountedRange
            range={range}
            onChange={(next) => void navigate({ search: next ? { range: next } : {} })}
          />
        </div>
      </PageHeader>
      <div ref={list} aria-busy={health.isFetching} className="flex-1 border-t border-line">
        <QueryResult query={health} skeleton={<SkeletonRows height="h-11" />}>
          {({ agents, isTruncated }) =>
            agents.length === 0 ? (
              <EmptyState title="No agent ran in this time range">
                <p>An agent is all traces of the same name.</p>
                <FirstSteps path={paths.agents} />
              </EmptyState>
            ) : (
              <>
                <Rows agents={agents} />
                {isTruncated && (
                  <p className="px-4 py-2 text-xs text-muted">The newest 50,000 runs are counted.</p>
                )}
              </>
            )
          }
        </QueryResult>
      </div>
    </>
  );
}

function Rows({ agents }: { agents: AgentHealth[] }) {
  const scale = rateScale(agents.map(({ badShare }) => badShare?.high ?? 0));
  return (
    <ListTable columns={COLUMNS}>
      {agents.map((agent) => (
        <Row key={agent.name} agent={agent} scale={scale} />
      ))}
    </ListTable>
  );
}

function Row({
  agent: { name, release, runs, badShare, durationMs, costUsd, lastAt },
  scale,
}: {
  agent: AgentHealth;
  scale: IntervalScale;
}) {
  const { range } = route.useSearch();
  return (
    <tr className={ROW}>
      <td className={`${CELL} max-lg:col-span-2 max-lg:min-w-0`}>
        <Link
          to={paths.agent}
          params={{ agent: name }}
          search={range ? { range } : {}}
          data-row
          title={name}
          className="block truncate font-medium after:absolute after:inset-0 focus-visible:-outline-offset-2"
        >
          {name}
        </Link>
      </td>
      <td className={`${CELL} max-lg:hidden`}>{release !== null && <Tag>{release}</Tag>}</td>
      <td
        className={`${CELL} text-right tabular-nums max-lg:row-start-2 max-lg:pl-4! max-lg:text-left max-lg:text-xs max-lg:text-muted`}
      >
        {formatExact(runs)}
        <span className="lg:sr-only"> {runs === 1 ? "run" : "runs"}</span>
      </td>
      <td className={`${CELL} max-lg:row-start-2 max-lg:w-48`}>
        <BadShare share={badShare} scale={scale} />
      </td>
      <td className={`${CELL} text-right tabular-nums max-xl:hidden`}>{formatDuration(durationMs)}</td>
      <td className={`${CELL} text-right tabular-nums max-xl:hidden`}>{formatCost(costUsd)}</td>
      <td className={`${CELL} text-right text-muted max-lg:hidden`}>
        <RelativeTime instant={lastAt} />
      </td>
    </tr>
  );
}
