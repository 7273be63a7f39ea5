import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import { isGoodRun, type PartnerList } from "@whytrace/contract";
import { ApiError } from "../client/api.ts";
import { useTraceUpdated } from "../client/live.ts";
import { omitEmpty } from "../client/search-params.ts";
import { useCoalescedRefetch } from "../client/use-coalesced-refetch.ts";
import { paths } from "../paths.ts";
import { SampleLink } from "../shell/sample-link.tsx";
import { buttonStyle } from "../ui/controls/button.tsx";
import { EmptyState, LoadError } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { comparisonQuery, partnersQuery } from "./compare-queries.ts";
import type { CompareSearch } from "./compare-search.ts";
import { CompareSkeleton } from "./compare-skeleton.tsx";
import { CompareView } from "./compare-view.tsx";
import { NO_PARTNER_WORDS } from "./model/partner-words.ts";

const ROUTE = "/signed-in/compare";
const route = getRouteApi(ROUTE);
const MIN_REFETCH_INTERVAL_MS = 1_000;
/** Each of them can be compared. */
const BAD_RUNS = `${paths.traces}?outcome=bad`;

export const comparePage = createLazyRoute(ROUTE)({ component: ComparePage });

/** Runs of the same session or with the same error are offered, but not compared without being asked for. */
const firstPartner = (list: PartnerList | undefined) => list?.partners.find(isGoodRun)?.traceId;

function ComparePage() {
  const search = route.useSearch();
  const { a = "", step } = search;
  const partners = useQuery({ ...partnersQuery(a, step), enabled: a !== "" });
  const b = search.b ?? firstPartner(partners.data) ?? "";
  const comparison = useQuery({ ...comparisonQuery(a, b), enabled: a !== "" && b !== "" });
  const refetch = useCoalescedRefetch(() => comparison.refetch(), MIN_REFETCH_INTERVAL_MS);
  const onUpdated = () => {
    if (b !== "") void refetch();
  };
  useTraceUpdated(a, onUpdated);
  useTraceUpdated(b, onUpdated);
  const navigate = route.useNavigate();
  const change = (next: CompareSearch, isContinued = false) =>
    void navigate({ search: (before) => omitEmpty({ ...before, ...next }), replace: isContinued });
  const pick = () => void navigate({ to: paths.traces, search: { compareA: a } });
  const error = (b === "" ? undefined : comparison.error) ?? (search.b ? null : partners.error);
  const isFound = b !== "" && comparison.data !== undefined && !error;
  if (isFound)
    return (
      <CompareView
        comparison={comparison.data}
        list={partners.data}
        search={search}
        onChange={change}
        onPick={pick}
      />
    );
  return (
    <>
      <PageHeader title="Compare" count={partners.data?.agent} />
      {a === "" ? (
        <EmptyState title="Nothing to compare yet">
          <p>
            Open a trace and choose Compare, or mark two traces in the list with the key x. Whytrace finds a
            similar trace that went well by itself.
          </p>
          <div className="flex flex-wrap justify-center gap-2">
            <AllTraces />
            <SampleLink path={BAD_RUNS} className={buttonStyle()}>
              Bad runs of the sample
            </SampleLink>
          </div>
        </EmptyState>
      ) : error instanceof ApiError && error.status === 404 ? (
        <EmptyState title="Trace not found">
          <p>{error.message}</p>
          <AllTraces />
        </EmptyState>
      ) : error ? (
        <LoadError error={error} onRetry={() => void (b === "" ? partners : comparison).refetch()} />
      ) : b === "" && partners.data ? (
        <NoPartner traceId={a} list={partners.data} onPick={pick} />
      ) : (
        <CompareSkeleton />
      )}
    </>
  );
}

const AllTraces = () => (
  <Link to={paths.traces} className={buttonStyle("primary")}>
    View all traces
  </Link>
);

interface NoPartnerProps {
  traceId: string;
  list: PartnerList;
  onPick: () => void;
}

/** Says why no run was found, and what can be done instead. */
function NoPartner({ traceId, list: { partners, reason }, onPick }: NoPartnerProps) {
  const [other] = partners;
  return (
    <EmptyState title="No run to compare with">
      <p>{NO_PARTNER_WORDS[reason ?? "no-other-run"]}</p>
      <div className="flex flex-wrap justify-center gap-2">
        {reason === "no-such-choice" && (
          <Link to={paths.compare} search={{ a: traceId }} className={buttonStyle("primary")}>
            Find any similar run
          </Link>
        )}
        {other && (
          <Link to={paths.compare} search={{ a: traceId, b: other.traceId }} className={buttonStyle()}>
            Compare with another run of this session
          </Link>
        )}
        <button type="button" className={buttonStyle()} onClick={onPick}>
          Pick a run
        </button>
        <Link to={paths.trace} params={{ id: traceId }} className={buttonStyle()}>
          Open the trace
        </Link>
      </div>
    </EmptyState>
  );
}
