import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import type { TraceStats } from "@whytrace/contract";
import { useLiveUpdates } from "../client/live.ts";
import { omitEmpty } from "../client/search-params.ts";
import { RANGE_NAMES, RANGES, type RangeName } from "../client/time-ranges.ts";
import { paths } from "../paths.ts";
import { SegmentedControl } from "../ui/controls/segmented-control.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonBar, SkeletonRows } from "../ui/skeleton.tsx";
import { findingsQuery } from "../why/findings/findings-query.ts";
import { OutcomeNoteItems } from "../why/outcome-note-items.tsx";
import { Chart, Swatch } from "./chart.tsx";
import { CHARTS, type ChartSpec } from "./chart-specs.ts";
import { ChartTable } from "./chart-table.tsx";
import { EmptyOverview } from "./empty-overview.tsx";
import { metricChanges } from "./metric-changes.ts";
import { ModelCosts } from "./model-costs.tsx";
import { OpenIssues } from "./open-issues.tsx";
import { DEFAULT_RANGE, VIEWS, type View } from "./overview-search.ts";
import { errorStatsQuery, modelStatsQuery, traceStatsQuery } from "./stats-query.ts";
import { SummaryMetrics } from "./summary-metrics.tsx";
import { TopErrors } from "./top-errors.tsx";
import { TopFindings } from "./top-findings.tsx";

const ROUTE = "/signed-in/";
const route = getRouteApi(ROUTE);

export const overviewPage = createLazyRoute(ROUTE)({ component: OverviewPage });

function OverviewPage() {
  const { range = DEFAULT_RANGE, view = "charts" } = route.useSearch();
  const navigate = route.useNavigate();
  const traces = useQuery(traceStatsQuery(range));
  const client = useQueryClient();
  // A live update refetches the statistics if they are stale. They are also polled every minute.
  useLiveUpdates(() => void client.refetchQueries({ queryKey: ["stats"], type: "active", stale: true }));
  const show = (change: { range?: RangeName | undefined; view?: View | undefined }) =>
    void navigate({ search: (before) => omitEmpty({ ...before, ...change }) });
  return (
    <>
      <PageHeader title="Overview">
        <div className="flex flex-wrap gap-2 max-sm:w-full md:ml-auto">
          <SegmentedControl
            label="View"
            options={VIEWS}
            value={view}
            onChange={(next) => show({ view: next === "charts" ? undefined : next })}
          />
          <SegmentedControl
            label="Time range"
            options={RANGE_NAMES}
            value={range}
            onChange={(next) => show({ range: next === DEFAULT_RANGE ? undefined : next })}
          />
        </div>
      </PageHeader>
      <div
        aria-busy={traces.isFetching}
        className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line p-4"
      >
        <QueryResult query={traces} skeleton={<OverviewSkeleton />}>
          {(stats) =>
            isEmpty(stats) ? (
              <EmptyOverview range={range} onWiden={() => show({ range: "90d" })} />
            ) : (
              <Overview stats={stats} range={range} view={view} />
            )
          }
        </QueryResult>
      </div>
    </>
  );
}

const isEmpty = ({ total: { traces } }: TraceStats) => traces.RUNNING + traces.COMPLETED + traces.ERROR === 0;

function Overview({ stats, range, view }: { stats: TraceStats; range: RangeName; view: View }) {
  const models = useQuery(modelStatsQuery(range));
  const errors = useQuery(errorStatsQuery(range));
  const findings = useQuery(findingsQuery({ range }));
  const hasChanges = Object.values(metricChanges(stats.total, stats.before)).some(Boolean);
  return (
    <>
      <SummaryMetrics stats={stats} />
      <CountedOutcomesNotes stats={stats} />
      <Panel
        title="What explains bad runs"
        legend={
          <Link to={paths.why} search={{ range }} className="text-accent underline">
            Why
          </Link>
        }
      >
        <QueryResult query={findings} skeleton={<SkeletonRows count={3} />}>
          {(found) => <TopFindings found={found} range={range} />}
        </QueryResult>
      </Panel>
      <div className="grid gap-4 lg:grid-cols-2">
        {CHARTS.map((spec) => (
          <Panel key={spec.title} title={spec.title} legend={<Legend spec={spec} />}>
            {view === "tables" ? (
              <ChartTable spec={spec} stats={stats} />
            ) : (
              <Chart spec={spec} stats={stats} />
            )}
          </Panel>
        ))}
        <Panel title="Cost and tokens by model" legend="cost · tokens">
          <QueryResult query={models} skeleton={<SkeletonRows count={4} />}>
            {(data) =>
              data.models.length > 0 ? (
                <ModelCosts {...data} />
              ) : (
                <EmptyPanel>No span says which model it called.</EmptyPanel>
              )
            }
          </QueryResult>
        </Panel>
        <Panel title="Most frequent errors" legend="traces">
          <QueryResult query={errors} skeleton={<SkeletonRows count={5} />}>
            {(data) =>
              data.errors.length > 0 ? (
                <TopErrors {...data} />
              ) : (
                <EmptyPanel>No errors in this time range.</EmptyPanel>
              )
            }
          </QueryResult>
        </Panel>
        <OpenIssues />
      </div>
      <p className="text-xs text-muted">
        Grouped by trace start time in UTC.
        {hasChanges && ` Arrows compare with the previous ${RANGES[range].label}.`}
      </p>
    </>
  );
}

/** What the failure rate leaves out, and whether runs are being judged again. */
function CountedOutcomesNotes({ stats: { total, judging, from, to } }: { stats: TraceStats }) {
  const { good, bad, unknown } = total.outcomes;
  return (
    <ul aria-label="What is counted" className="grid gap-0.5 text-xs text-muted empty:hidden">
      <OutcomeNoteItems
        counted={{ runs: good + bad + unknown, leftOut: { runs: unknown, missing: [] }, judging }}
        tracesOf={() => ({ outcome: "unknown", startedFrom: from, startedTo: to })}
      />
    </ul>
  );
}

function Legend({ spec: { series } }: { spec: ChartSpec }) {
  if (series.length === 1) return null;
  return (
    <ul className="flex gap-3">
      {series.map(({ label, tint }) => (
        <li key={label} className="flex items-center gap-1.5">
          <Swatch tint={tint} />
          {label}
        </li>
      ))}
    </ul>
  );
}

const EmptyPanel = ({ children }: { children: string }) => <p className="p-3 text-muted">{children}</p>;

function OverviewSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="grid animate-[fade-in_0s_150ms_both] gap-4">
      <div className="h-20 rounded-md border border-line p-3">
        <SkeletonBar className="w-1/3" />
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {CHARTS.map(({ title }) => (
          <div key={title} className="h-61 rounded-md border border-line p-3">
            <SkeletonBar className="w-24" />
          </div>
        ))}
      </div>
    </div>
  );
}
