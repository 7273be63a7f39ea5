import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { createRoute, Link } from "@tanstack/react-router";
import {
  DECISION_POINT_TYPES,
  DECISION_SORTS,
  type DecisionPointType,
  type DecisionRow,
  type DecisionSort,
  type PageInfo,
} from "@whytrace/contract";
import { useCallback } from "react";
import { Ago } from "../app/ago.tsx";
import { api, queryString } from "../app/api.ts";
import { formatCost } from "../app/format.ts";
import { PageHeader } from "../app/page-header.tsx";
import { paths } from "../app/paths.ts";
import { SearchField } from "../app/search-field.tsx";
import { oneOf, pageOf, textOf, withoutAbsent } from "../app/search-params.ts";
import { signedInRoute } from "../app/signed-in-route.tsx";
import { useRows } from "../app/use-rows.ts";
import { TypeBadge, typeLabel } from "../ui/badges.tsx";
import { Button, buttonStyle } from "../ui/button.tsx";
import { Empty, Failure } from "../ui/notice.tsx";
import { Pager } from "../ui/pager.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { StatusIcon } from "../ui/status.tsx";
import { Options } from "./options.tsx";

interface DecisionsSearch {
  search?: string | undefined;
  type?: DecisionPointType | undefined;
  sort?: DecisionSort | undefined;
  page?: number | undefined;
}

const LIMIT = 20;

const decisionsQuery = (search: DecisionsSearch) =>
  queryOptions({
    queryKey: ["decisions", search],
    queryFn: ({ signal }) =>
      api<PageInfo & { decisions: DecisionRow[] }>(
        `/api/decisions${queryString({ ...search, limit: LIMIT })}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const decisionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.decisions,
  validateSearch: (search): DecisionsSearch =>
    withoutAbsent({
      search: textOf(search.search),
      type: oneOf(DECISION_POINT_TYPES, search.type),
      sort: oneOf(DECISION_SORTS, search.sort),
      page: pageOf(search.page),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(decisionsQuery(deps)),
  component: DecisionsPage,
});

function DecisionsPage() {
  const search = decisionsRoute.useSearch();
  const navigate = decisionsRoute.useNavigate();
  const decisions = useQuery(decisionsQuery(search));
  const { list, search: field } = useRows();
  const filter = useCallback(
    (change: DecisionsSearch) =>
      void navigate({
        search: (before) => withoutAbsent({ ...before, page: undefined, ...change }),
        replace: change.search !== undefined,
      }),
    [navigate],
  );
  const onSearch = useCallback((text: string | undefined) => filter({ search: text }), [filter]);
  const isFiltered = search.search !== undefined || search.type !== undefined;
  return (
    <>
      <PageHeader title="Decisions" count={decisions.data?.total.toLocaleString("en")} />
      <search className="flex flex-wrap items-center gap-1.5 border-b border-line px-4 pb-2.5">
        <SearchField
          ref={field}
          label="Reasoning, choice or trace contains"
          value={search.search}
          onSearch={onSearch}
        />
        <select
          aria-label="Type"
          value={search.type ?? ""}
          onChange={(event) => filter({ type: oneOf(DECISION_POINT_TYPES, event.target.value) })}
          className={`${buttonStyle()} appearance-auto`}
        >
          <option value="">Any type</option>
          {DECISION_POINT_TYPES.map((type) => (
            <option key={type} value={type}>
              {typeLabel(type)}
            </option>
          ))}
        </select>
        {isFiltered && (
          <Button onClick={() => void navigate({ search: withoutAbsent({ sort: search.sort }) })}>
            Clear filters
          </Button>
        )}
        <div className="md:ml-auto">
          <Segmented
            label="Sort"
            options={DECISION_SORTS}
            value={search.sort ?? "newest"}
            onChange={(next) => filter({ sort: next === "newest" ? undefined : next })}
          />
        </div>
      </search>
      <div ref={list} aria-busy={decisions.isFetching} className="flex-1">
        {decisions.isPending ? (
          <SkeletonRows height="h-20" count={8} />
        ) : decisions.isError ? (
          <Failure error={decisions.error} onRetry={() => void decisions.refetch()} />
        ) : decisions.data.total > 0 ? (
          <ul>
            {decisions.data.decisions.map((decision) => (
              <Row key={`${decision.traceId} ${decision.id}`} decision={decision} />
            ))}
          </ul>
        ) : isFiltered ? (
          <Empty title="No decision fits these filters">
            <Button onClick={() => void navigate({ search: {} })}>Clear filters</Button>
          </Empty>
        ) : (
          <Empty title="No decisions yet">
            <p>
              A decision point says what was chosen, from which alternatives, and why. Send some inside a
              trace.
            </p>
            <Link to={paths.welcome} className={buttonStyle("primary")}>
              See an example
            </Link>
          </Empty>
        )}
      </div>
      {decisions.data && decisions.data.total > LIMIT && (
        <Pager
          page={search.page ?? 1}
          limit={LIMIT}
          total={decisions.data.total}
          onPage={(next) =>
            void navigate({ search: (before) => withoutAbsent({ ...before, page: pageOf(next) }) })
          }
        />
      )}
    </>
  );
}

function Row({ decision }: { decision: DecisionRow }) {
  const { id, type, chosen, alternatives, reasoning, costUsd, timestamp, trace } = decision;
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1.5 border-b border-line/60 px-4 py-2.5 hover:bg-panel focus-within:bg-panel md:grid-cols-[9rem_minmax(0,1fr)_minmax(0,16rem)]">
      <div>
        <TypeBadge type={type} />
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-1.5">
        <Options chosen={chosen} alternatives={alternatives} />
        {reasoning && <p className="line-clamp-2 text-muted">{reasoning}</p>}
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-muted md:flex-col md:items-end">
        <span className="flex min-w-0 max-w-full items-center gap-1.5">
          <StatusIcon status={trace.status} />
          <Link
            to={paths.trace}
            params={{ id: trace.id }}
            hash={`decision-${id}`}
            data-row
            className="truncate font-medium text-text after:absolute after:inset-0"
          >
            {trace.name}
          </Link>
        </span>
        <span className="flex gap-3">
          <span>{formatCost(costUsd)}</span>
          <Ago instant={timestamp} />
        </span>
      </div>
    </li>
  );
}
