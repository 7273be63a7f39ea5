import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { createRoute, Link } from "@tanstack/react-router";
import type { PageInfo, TraceRow } from "@whytrace/contract";
import { useCallback } from "react";
import { api, queryString } from "../client/api.ts";
import { traceRows } from "../client/live-rows.ts";
import { omitEmpty, parseOneOf, parsePage } from "../client/search-params.ts";
import { useLiveList } from "../client/use-live-list.ts";
import { paths } from "../paths.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { Button, buttonStyle } from "../ui/button.tsx";
import { NewRowsButton } from "../ui/new-rows-button.tsx";
import { EmptyState } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Pager } from "../ui/pager.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { useListShortcuts } from "../ui/use-list-shortcuts.ts";
import { TraceFilters } from "./trace-filters.tsx";
import { TraceRows, TraceRowsSkeleton } from "./trace-rows.tsx";
import {
  DEFAULT_PAGE_SIZE,
  PAGE_SIZES,
  parseTracesSearch,
  type TracesSearch,
  toTracesRequest,
} from "./traces-search.ts";

const tracesQuery = (search: TracesSearch) =>
  queryOptions({
    queryKey: ["traces", search],
    queryFn: ({ signal }) =>
      api<PageInfo & { traces: TraceRow[] }>(
        `/api/traces${queryString(toTracesRequest(search, Date.now()))}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const tracesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.traces,
  validateSearch: parseTracesSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(tracesQuery(deps)),
  component: TracesPage,
});

function TracesPage() {
  const search = tracesRoute.useSearch();
  const navigate = tracesRoute.useNavigate();
  const traces = useQuery(tracesQuery(search));
  const { list, search: field } = useListShortcuts();
  const { newCount, showNew } = useLiveList(
    tracesQuery(search),
    traceRows,
    () => void navigate({ search: (before) => omitEmpty({ ...before, page: undefined }) }),
  );
  // Every filter change goes to the first page.
  const filter = useCallback(
    (change: TracesSearch, isContinued = false) =>
      void navigate({
        search: (before) => omitEmpty({ ...before, page: undefined, ...change }),
        replace: isContinued,
      }),
    [navigate],
  );
  const { sort, page = 1, limit = DEFAULT_PAGE_SIZE, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  const clear = () => void navigate({ search: omitEmpty({ sort, limit: search.limit }) });
  const total = traces.data?.total ?? 0;
  return (
    <>
      <PageHeader title="Traces" count={traces.data?.total.toLocaleString("en")} />
      <TraceFilters
        search={search}
        isFiltered={isFiltered}
        rows={traces.data?.traces ?? []}
        field={field}
        onFilter={filter}
        onClear={clear}
      />
      <NewRowsButton newCount={newCount} onShow={showNew} />
      <div ref={list} aria-busy={traces.isFetching} className="flex-1">
        <QueryResult query={traces} skeleton={<TraceRowsSkeleton />}>
          {(data) =>
            data.traces.length > 0 ? (
              <TraceRows traces={data.traces} />
            ) : data.total > 0 ? (
              <EmptyState title={`Page ${page} does not exist`}>
                <Button onClick={() => filter({})}>Go to first page</Button>
              </EmptyState>
            ) : isFiltered ? (
              <EmptyState title="No traces match these filters">
                <Button onClick={clear}>Clear filters</Button>
              </EmptyState>
            ) : (
              <EmptyState title="No traces yet">
                <p>Send a trace with an API key, and it will appear here.</p>
                <Link to={paths.welcome} className={buttonStyle("primary")}>
                  Send your first trace
                </Link>
              </EmptyState>
            )
          }
        </QueryResult>
      </div>
      {total > Number(DEFAULT_PAGE_SIZE) && (
        <Pager
          page={page}
          limit={Number(limit)}
          total={total}
          onPage={(next) =>
            void navigate({ search: (before) => omitEmpty({ ...before, page: parsePage(next) }) })
          }
          sizes={PAGE_SIZES}
          onSize={(size) =>
            filter({ limit: size === DEFAULT_PAGE_SIZE ? undefined : parseOneOf(PAGE_SIZES, size) })
          }
        />
      )}
    </>
  );
}
