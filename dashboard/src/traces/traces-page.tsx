import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { createRoute, Link } from "@tanstack/react-router";
import type { PageInfo, TraceRow } from "@whytrace/contract";
import { useCallback } from "react";
import { api, queryString } from "../client/api.ts";
import { traceRows } from "../client/live-rows.ts";
import { paths } from "../client/paths.ts";
import { oneOf, pageOf, withoutAbsent } from "../client/search-params.ts";
import { useLiveList } from "../client/use-live-list.ts";
import { signedInRoute } from "../shell/signed-in-route.tsx";
import { Button, buttonStyle } from "../ui/button.tsx";
import { NewPill } from "../ui/new-pill.tsx";
import { Empty } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Pager } from "../ui/pager.tsx";
import { Queried } from "../ui/queried.tsx";
import { useRows } from "../ui/use-rows.ts";
import { TraceFilters } from "./trace-filters.tsx";
import { TraceRows, TraceRowsSkeleton } from "./trace-rows.tsx";
import {
  PAGE_SIZE,
  PAGE_SIZES,
  type TracesSearch,
  tracesRequestOf,
  tracesSearchOf,
} from "./traces-search.ts";

const tracesQuery = (search: TracesSearch) =>
  queryOptions({
    queryKey: ["traces", search],
    queryFn: ({ signal }) =>
      api<PageInfo & { traces: TraceRow[] }>(
        `/api/traces${queryString(tracesRequestOf(search, Date.now()))}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const tracesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: paths.traces,
  validateSearch: tracesSearchOf,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(tracesQuery(deps)),
  component: TracesPage,
});

function TracesPage() {
  const search = tracesRoute.useSearch();
  const navigate = tracesRoute.useNavigate();
  const traces = useQuery(tracesQuery(search));
  const { list, search: field } = useRows();
  const { newCount, showNew } = useLiveList(
    tracesQuery(search),
    traceRows,
    () => void navigate({ search: (before) => withoutAbsent({ ...before, page: undefined }) }),
  );
  // Another filter begins on its first page; a step of the pages is one to go back to.
  const filter = useCallback(
    (change: TracesSearch, isContinued = false) =>
      void navigate({
        search: (before) => withoutAbsent({ ...before, page: undefined, ...change }),
        replace: isContinued,
      }),
    [navigate],
  );
  const { sort, page = 1, limit = PAGE_SIZE, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  const clear = () => void navigate({ search: withoutAbsent({ sort, limit: search.limit }) });
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
      <NewPill newCount={newCount} onShow={showNew} />
      <div ref={list} aria-busy={traces.isFetching} className="flex-1">
        <Queried query={traces} skeleton={<TraceRowsSkeleton />}>
          {(data) =>
            data.traces.length > 0 ? (
              <TraceRows traces={data.traces} />
            ) : data.total > 0 ? (
              <Empty title={`There is no page ${page}`}>
                <Button onClick={() => filter({})}>To the first page</Button>
              </Empty>
            ) : isFiltered ? (
              <Empty title="No trace fits these filters">
                <Button onClick={clear}>Clear filters</Button>
              </Empty>
            ) : (
              <Empty title="No traces yet">
                <p>Send one with an API key, and it is here when the call returns.</p>
                <Link to={paths.welcome} className={buttonStyle("primary")}>
                  Send your first trace
                </Link>
              </Empty>
            )
          }
        </Queried>
      </div>
      {total > Number(PAGE_SIZE) && (
        <Pager
          page={page}
          limit={Number(limit)}
          total={total}
          onPage={(next) =>
            void navigate({ search: (before) => withoutAbsent({ ...before, page: pageOf(next) }) })
          }
          sizes={PAGE_SIZES}
          onSize={(size) => filter({ limit: size === PAGE_SIZE ? undefined : oneOf(PAGE_SIZES, size) })}
        />
      )}
    </>
  );
}
