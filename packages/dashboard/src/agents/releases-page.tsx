import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import type { ReleaseComparison, ReleaseHistory } from "@whytrace/contract";
import { omitEmpty } from "../client/search-params.ts";
import { RANGES } from "../client/time-ranges.ts";
import { paths } from "../paths.ts";
import { SegmentedControl } from "../ui/controls/segmented-control.tsx";
import { SelectChip } from "../ui/controls/select-chip.tsx";
import { PageFooter } from "../ui/page-footer.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { CountedRange } from "../why/counted-range.tsx";
import { HowCounted } from "../why/how-counted.tsx";
import { ProgressNotice } from "../why/progress-notice.tsx";
import { releaseOptions } from "../why/release-options.ts";
import { useLiveInsights } from "../why/use-live-insights.ts";
import { AgentHeading } from "./agent-heading.tsx";
import { comparisonQuery, releasesQuery } from "./agents-queries.ts";
import { ChangedChoices } from "./changed-choices.tsx";
import { ChangedErrors } from "./changed-errors.tsx";
import { MeasuresTable } from "./measures-table.tsx";
import { type ReleasesSearch, sidesOf } from "./releases-search.ts";
import { VerdictIcon, verdictTone } from "./verdict-icon.tsx";

const ROUTE = "/signed-in/agents/$agent/releases";
const route = getRouteApi(ROUTE);

export const releasesPage = createLazyRoute(ROUTE)({ component: ReleasesPage });

function ReleasesPage() {
  const { agent } = route.useParams();
  const search = route.useSearch();
  const history = useQuery(releasesQuery(agent, search.range));
  const navigate = route.useNavigate();
  useLiveInsights();
  const show = (change: ReleasesSearch) =>
    void navigate({ search: (before) => omitEmpty({ ...before, ...change }) });
  return (
    <>
      <AgentHeading agent={agent} title="Releases">
        {history.data && <SidePickers search={search} history={history.data} onShow={show} />}
        {history.isLoading && <span className="h-11.5 w-80 max-w-full sm:h-8.5" />}
        <div className="md:ml-auto">
          <CountedRange
            range={search.range ?? (search.by === "time" ? "7d" : undefined)}
            onChange={(range) => show({ range: range ?? (search.by === "time" ? "30d" : undefined) })}
          />
        </div>
      </AgentHeading>
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 border-t border-line p-4">
        <QueryResult query={history} skeleton={<SkeletonRows count={6} />}>
          {(found) => <Comparison agent={agent} search={search} history={found} />}
        </QueryResult>
      </div>
      <PageFooter>
        <HowCounted>
          If both are alike, at most 5 of 100 comparisons call one worse or better. Runs of one session count
          together. What else changed between them, such as the traffic, is not held equal.
        </HowCounted>
      </PageFooter>
    </>
  );
}

interface PickersProps {
  search: ReleasesSearch;
  history: ReleaseHistory;
  onShow: (change: ReleasesSearch) => void;
}

/** Which two are compared. */
function SidePickers({ search, history, onShow }: PickersProps) {
  const named = history.releases.flatMap(({ name, runs }) => (name === null ? [] : [{ name, runs }]));
  const { releases } = sidesOf(search, history);
  if (named.length < 2 && !releases) return null;
  const options = releaseOptions(named);
  const withChosen = (name: string) =>
    named.some((one) => one.name === name) ? options : [{ value: name, label: name }, ...options];
  return (
    <>
      <SegmentedControl
        label="Compare"
        options={["releases", "days"]}
        value={releases ? "releases" : "days"}
        onChange={(next) =>
          onShow({ by: next === "days" ? "time" : undefined, release: undefined, base: undefined })
        }
      />
      {releases && (
        <span className="flex flex-wrap items-center gap-2">
          <SelectChip
            label="Release"
            text={`${releases.current} ▾`}
            value={releases.current}
            options={withChosen(releases.current)}
            onChange={(release) =>
              onShow({ release, base: release === releases.base ? releases.current : releases.base })
            }
          />
          <span className="text-muted">against</span>
          <SelectChip
            label="Base"
            text={`${releases.base} ▾`}
            value={releases.base}
            options={withChosen(releases.base)}
            onChange={(base) =>
              onShow({ base, release: base === releases.current ? releases.base : releases.current })
            }
          />
        </span>
      )}
    </>
  );
}

function Comparison({
  agent,
  search,
  history,
}: {
  agent: string;
  search: ReleasesSearch;
  history: ReleaseHistory;
}) {
  const sides = sidesOf(search, history);
  const query = useQuery(comparisonQuery(agent, sides));
  return (
    <QueryResult query={query} skeleton={<SkeletonRows count={8} />}>
      {(comparison) => (
        <>
          <Sentence comparison={comparison} />
          <ProgressNotice progress={comparison.progress} />
          <Panel title="Bad runs, cost and time" note="Each figure opens its runs">
            <MeasuresTable comparison={comparison} />
          </Panel>
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
            <Panel title="Errors that changed" legend="before → now">
              <ChangedErrors comparison={comparison} />
            </Panel>
            <Panel title="Choices that changed" legend="before → now">
              <ChangedChoices comparison={comparison} />
            </Panel>
          </div>
          <p className="text-xs text-muted">
            {sides.releases
              ? `Runs of the last ${RANGES[sides.range ?? "30d"].label}.`
              : `The last ${RANGES[sides.range ?? "7d"].label} against as many days before them.`}
            {comparison.isTruncated && " There are more runs or errors than are compared; the newest count."}{" "}
            {history.releases.every(({ name }) => name === null) && (
              <>
                No run names its release. Tag traces with, for example, release:2026-11-02 or v2.3.1 to
                compare releases.{" "}
              </>
            )}
            <Link to={paths.agent} params={{ agent }} className="text-accent underline">
              All releases of this agent
            </Link>
          </p>
        </>
      )}
    </QueryResult>
  );
}

/** The answer, before any figure. */
function Sentence({ comparison: { verdict, sentence } }: { comparison: ReleaseComparison }) {
  return (
    <p
      role="status"
      className={`flex items-start gap-3 rounded-md border border-line border-l-4 border-l-[var(--tint)] bg-panel px-4 py-3 text-base ${verdictTone(verdict)}`}
    >
      <span className="pt-0.5">
        <VerdictIcon verdict={verdict} />
      </span>
      <span className="min-w-0 max-w-[80ch] break-words font-medium">
        {sentence.replaceAll(" %", "\u00a0%")}
      </span>
    </p>
  );
}
