import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { createRoute, Link } from "@tanstack/react-router";
import {
  type PageInfo,
  STATUSES,
  type Status,
  TRACE_SORTS,
  type TraceRow,
  type TraceSort,
} from "@whytrace/contract";
import { useCallback } from "react";
import { api, queryString } from "../app/api.ts";
import { PageHeader } from "../app/page-header.tsx";
import { paths } from "../app/paths.ts";
import { SearchField } from "../app/search-field.tsx";
import { oneOf, pageOf, textOf, withoutAbsent } from "../app/search-params.ts";
import { signedInRoute } from "../app/signed-in-route.tsx";
import { useRows } from "../app/use-rows.ts";
import { Button, buttonStyle } from "../ui/button.tsx";
import { Empty, Failure } from "../ui/notice.tsx";
import { Pager } from "../ui/pager.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { FilterField } from "./filter-field.tsx";
import { TraceRows } from "./trace-rows.tsx";

interface TracesSearch {
  search?: string | undefined;
  status?: Status | undefined;
  tags?: string | undefined;
  sessionId?: string | undefined;
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  sort?: TraceSort | undefined;
  page?: number | undefined;
}

const LIMIT = 20;

const tracesQuery = (search: TracesSearch) =>
  queryOptions({
    queryKey: ["traces", search],
    queryFn: ({ signal }) =>
      api<PageInfo & { traces: TraceRow[] }>(`/api/traces${queryString({ ...search, limit: LIMIT })}`, {
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const tracesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.traces,
  validateSearch: (search): TracesSearch =>
    withoutAbsent({
      search: textOf(search.search),
      status: oneOf(STATUSES, search.status),
      tags: textOf(search.tags),
      sessionId: textOf(search.sessionId),
      dateFrom: textOf(search.dateFrom),
      dateTo: textOf(search.dateTo),
      sort: oneOf(TRACE_SORTS, search.sort),
      page: pageOf(search.page),
    }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(tracesQuery(deps)),
  component: TracesPage,
});

function TracesPage() {
  const search = tracesRoute.useSearch();
  const navigate = tracesRoute.useNavigate();
  const traces = useQuery(tracesQuery(search));
  const { list, search: field } = useRows();
  // Another filter begins on its first page; a step of the pages is one to go back to.
  const filter = useCallback(
    (change: TracesSearch) =>
      void navigate({
        search: (before) => withoutAbsent({ ...before, page: undefined, ...change }),
        replace: change.search !== undefined,
      }),
    [navigate],
  );
  const onSearch = useCallback((text: string | undefined) => filter({ search: text }), [filter]);
  const { sort, page, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <PageHeader title="Traces" count={traces.data?.total.toLocaleString("en")} />
      <search className="flex flex-wrap items-center gap-1.5 border-b border-line px-4 pb-2.5">
        <SearchField ref={field} label="Name contains" value={search.search} onSearch={onSearch} />
        <select
          aria-label="Status"
          value={search.status ?? ""}
          onChange={(event) => filter({ status: oneOf(STATUSES, event.target.value) })}
          className={`${buttonStyle()} appearance-auto`}
        >
          <option value="">Any status</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {status.charAt(0) + status.slice(1).toLowerCase()}
            </option>
          ))}
        </select>
        <FilterField
          label="Tags"
          value={search.tags}
          placeholder="prod, eu"
          onChange={(tags) => filter({ tags })}
        />
        <FilterField
          label="Session"
          value={search.sessionId}
          onChange={(sessionId) => filter({ sessionId })}
        />
        <FilterField
          label="Received from"
          type="date"
          value={search.dateFrom}
          onChange={(dateFrom) => filter({ dateFrom })}
        />
        <FilterField
          label="Received to"
          type="date"
          value={search.dateTo}
          onChange={(dateTo) => filter({ dateTo })}
        />
        {isFiltered && (
          <Button onClick={() => void navigate({ search: withoutAbsent({ sort }) })}>Clear filters</Button>
        )}
        <div className="md:ml-auto">
          <Segmented
            label="Sort"
            options={TRACE_SORTS}
            value={sort ?? "newest"}
            onChange={(next) => filter({ sort: next === "newest" ? undefined : next })}
          />
        </div>
      </search>
      <div ref={list} aria-busy={traces.isFetching} className="flex-1">
        {traces.isPending ? (
          <SkeletonRows />
        ) : traces.isError ? (
          <Failure error={traces.error} onRetry={() => void traces.refetch()} />
        ) : traces.data.total > 0 ? (
          <TraceRows traces={traces.data.traces} />
        ) : isFiltered ? (
          <Empty title="No trace fits these filters">
            <Button onClick={() => void navigate({ search: {} })}>Clear filters</Button>
          </Empty>
        ) : (
          <Empty title="No traces yet">
            <p>Send one with an API key, and it is here when the call returns.</p>
            <Link to={paths.welcome} className={buttonStyle("primary")}>
              Send your first trace
            </Link>
          </Empty>
        )}
      </div>
      {traces.data && traces.data.total > LIMIT && (
        <Pager
          page={page ?? 1}
          limit={LIMIT}
          total={traces.data.total}
          onPage={(next) =>
            void navigate({ search: (before) => withoutAbsent({ ...before, page: pageOf(next) }) })
          }
        />
      )}
    </>
  );
}
