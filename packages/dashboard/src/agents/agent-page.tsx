import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import type { AgentHealth, AgentHealthList } from "@whytrace/contract";
import { omitEmpty } from "../client/search-params.ts";
import { RANGES, type RangeName } from "../client/time-ranges.ts";
import { paths } from "../paths.ts";
import { Term } from "../shell/term.tsx";
import { DEFAULT_COLUMNS, type TraceColumn } from "../traces/trace-columns.ts";
import { TraceRows } from "../traces/trace-rows.tsx";
import { tracesQuery } from "../traces/traces-query.ts";
import { buttonStyle } from "../ui/controls/button.tsx";
import { formatCost, formatDuration, formatExact } from "../ui/format/format.ts";
import { formatPercent } from "../ui/format/format-percent.ts";
import { EmptyState } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { CountedRange } from "../why/counted-range.tsx";
import { DEFAULT_RANGE } from "../why/counted-search.ts";
import { useLiveInsights } from "../why/use-live-insights.ts";
import { AgentFindings } from "./agent-findings.tsx";
import { AgentHeading } from "./agent-heading.tsx";
import { AgentReleases } from "./agent-releases.tsx";
import { healthQuery } from "./agents-queries.ts";

const ROUTE = "/signed-in/agents/$agent";
const route = getRouteApi(ROUTE);

export const agentPage = createLazyRoute(ROUTE)({ component: AgentPage });

function AgentPage() {
  const { agent } = route.useParams();
  const { range } = route.useSearch();
  const navigate = route.useNavigate();
  const health = useQuery(healthQuery(range, agent));
  useLiveInsights();
  return (
    <>
      <AgentHeading agent={agent}>
        <nav aria-label="Pages of this agent" className="flex flex-wrap gap-2">
          <Link to={paths.releases} params={{ agent }} className={buttonStyle()}>
            Compare releases
          </Link>
          <Link to={paths.why} search={omitEmpty({ agent, range })} className={buttonStyle()}>
            Why
          </Link>
          <Link to={paths.decisionMap} search={omitEmpty({ agent, range })} className={buttonStyle()}>
            Map
          </Link>
        </nav>
        <div className="md:ml-auto">
          <CountedRange
            range={range}
            onChange={(next) => void navigate({ search: next ? { range: next } : {} })}
          />
        </div>
      </AgentHeading>
      <div
        aria-busy={health.isFetching}
        className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 border-t border-line p-4"
      >
        <QueryResult query={health} skeleton={<SkeletonRows count={8} />}>
          {(list) => {
            const [found] = list.agents;
            return found ? (
              <Home agent={agent} health={found} list={list} range={range} />
            ) : (
              <NoRuns range={range} onWiden={() => void navigate({ search: { range: "90d" } })} />
            );
          }}
        </QueryResult>
      </div>
    </>
  );
}

function NoRuns({ range = DEFAULT_RANGE, onWiden }: { range: RangeName | undefined; onWiden: () => void }) {
  return (
    <EmptyState title={`No run of this agent in the last ${RANGES[range].label}`}>
      {range === "90d" ? (
        <Link to={paths.agents} className={buttonStyle()}>
          All agents
        </Link>
      ) : (
        <button type="button" className={buttonStyle()} onClick={onWiden}>
          Show last 90 days
        </button>
      )}
    </EmptyState>
  );
}

interface HomeProps {
  agent: string;
  health: AgentHealth;
  list: AgentHealthList;
  range: RangeName | undefined;
}

function Home({ agent, health, list, range }: HomeProps) {
  return (
    <>
      <Health agent={agent} health={health} list={list} />
      <Panel
        title="Releases"
        note={<Term word="release">What is a release?</Term>}
        legend={
          <Link to={paths.releases} params={{ agent }} className="text-accent underline">
            Compare any two
          </Link>
        }
      >
        <AgentReleases agent={agent} range={range} />
      </Panel>
      <Panel
        title="Decisions that matter"
        legend={
          <Link to={paths.why} search={omitEmpty({ agent, range })} className="text-accent underline">
            Why
          </Link>
        }
      >
        <AgentFindings agent={agent} range={range} />
      </Panel>
      <Failures agent={agent} list={list} />
    </>
  );
}

const FIGURE = "grid content-start gap-1 bg-bg p-3";

/** Five figures of the agent, with ways to the runs behind them. */
function Health({ agent, health, list: { from, to } }: Omit<HomeProps, "range">) {
  const { runs, badRuns, badShare, openRuns, costUsd, durationMs, lastAt } = health;
  const counted = { agent, decided: "any", startedFrom: from, startedTo: to } as const;
  const shownShare = badShare === null ? "—" : formatPercent(badShare.value);
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line lg:grid-cols-5">
      <div className={FIGURE}>
        <dt className="text-xs text-muted">Runs</dt>
        <dd>
          <Link to={paths.traces} search={counted} className="text-xl font-semibold hover:underline">
            {formatExact(runs)}
          </Link>
          {openRuns > 0 && <span className="block text-xs text-muted">{formatExact(openRuns)} open</span>}
        </dd>
      </div>
      <div className={FIGURE}>
        <dt className="text-xs text-muted">Bad runs</dt>
        <dd>
          <Link
            to={paths.traces}
            search={{ ...counted, outcome: "bad" }}
            aria-label={`${shownShare}: ${formatExact(badRuns)} bad runs`}
            className="text-xl font-semibold hover:underline"
          >
            {shownShare}
          </Link>
          {badShare !== null && (
            <span className="block text-xs text-muted">
              {formatExact(badRuns)} runs, {formatPercent(badShare.low)} to {formatPercent(badShare.high)}
            </span>
          )}
        </dd>
      </div>
      <div className={FIGURE}>
        <dt className="text-xs text-muted">Cost</dt>
        <dd className="text-xl font-semibold">{formatCost(costUsd)}</dd>
      </div>
      <div className={FIGURE}>
        <dt className="text-xs text-muted">Time of a run (median)</dt>
        <dd className="text-xl font-semibold">{formatDuration(durationMs)}</dd>
      </div>
      <div className={`${FIGURE} max-lg:col-span-2`}>
        <dt className="text-xs text-muted">Last run</dt>
        <dd className="text-xl font-semibold">
          <RelativeTime instant={lastAt} />
        </dd>
      </div>
    </dl>
  );
}

const HIDDEN = new Set<TraceColumn>(["Tags", "Model", "Tokens"]);
const SHOWN = DEFAULT_COLUMNS.filter((column) => !HIDDEN.has(column));

function Failures({ agent, list: { from, to } }: Pick<HomeProps, "agent" | "list">) {
  const search = { agent, decided: "any", outcome: "bad", startedFrom: from, startedTo: to } as const;
  const failed = useQuery(tracesQuery(search));
  return (
    <Panel
      title="Latest bad runs"
      legend={
        <Link to={paths.traces} search={search} className="text-accent underline">
          All bad runs
        </Link>
      }
    >
      <QueryResult query={failed} skeleton={<SkeletonRows count={5} />}>
        {({ traces }) =>
          traces.length === 0 ? (
            <p className="p-3 text-muted">No bad run in this time range.</p>
          ) : (
            <TraceRows traces={traces.slice(0, MAX_FAILURES)} shown={SHOWN} />
          )
        }
      </QueryResult>
    </Panel>
  );
}

const MAX_FAILURES = 5;
