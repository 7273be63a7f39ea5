import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { isSample } from "../client/base-path.ts";
import { MIN_SEARCH_LENGTH } from "../client/read-search.ts";
import { omitEmpty, parseSearch } from "../client/search-params.ts";
import { useListShortcuts } from "../ui/hooks/use-list-shortcuts.ts";
import { EmptyState } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { ColumnsChip } from "./columns-chip.tsx";
import { TraceFilters } from "./filters/trace-filters.tsx";
import {
  parseTracesSearch,
  type TracesSearch,
  toSearchRequest,
  toViewQuery,
} from "./filters/traces-search.ts";
import { SearchResults } from "./search/search-results.tsx";
import { TraceList } from "./trace-list.tsx";
import { tracesQuery } from "./traces-query.ts";
import { useDefaultView } from "./use-default-view.ts";
import { useShownColumns } from "./use-shown-columns.ts";
import { ViewsChip } from "./views-chip.tsx";

const ROUTE = "/signed-in/traces";
const route = getRouteApi(ROUTE);

export const tracesPage = createLazyRoute(ROUTE)({ component: TracesPage });

function TracesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isEverything = search.in === "everything";
  const traces = useQuery({ ...tracesQuery(search), enabled: !isEverything });
  const { list, search: field } = useListShortcuts();
  const { shown, toggle } = useShownColumns();
  const openView = useCallback(
    (query: string, replace = false) =>
      void navigate({ search: parseTracesSearch(parseSearch(query)), replace }),
    [navigate],
  );
  const replaceView = useCallback((query: string) => openView(query, true), [openView]);
  useDefaultView(toViewQuery(search), replaceView);
  // Every filter change goes to the first page.
  const filter = useCallback(
    (change: TracesSearch, isContinued = false) =>
      void navigate({
        search: (before) => omitEmpty({ ...before, page: undefined, ...change }),
        replace: isContinued,
      }),
    [navigate],
  );
  const { sort, page, limit, in: scope, compareA, compareB, ...filters } = search;
  const { search: text = "", ...otherFilters } = filters;
  // Two selected traces are in the URL, because they can be compared.
  const [moreSelected, setMoreSelected] = useState<string[]>([]);
  const selected = [compareA, compareB, ...moreSelected].filter((id) => id !== undefined);
  const isFiltered = Object.keys(filters).length > 0;
  const clear = () => void navigate({ search: omitEmpty({ sort, limit, in: scope, compareA, compareB }) });
  const clearOthers = () =>
    void navigate({ search: omitEmpty({ search: text, sort, limit, in: scope, compareA, compareB }) });
  return (
    <>
      <PageHeader title="Traces" count={isEverything ? undefined : traces.data?.total.toLocaleString("en")} />
      <TraceFilters search={search} isFiltered={isFiltered} field={field} onFilter={filter} onClear={clear}>
        {!isSample && <ViewsChip query={toViewQuery(search)} onOpen={openView} />}
        <div className="max-lg:hidden">
          <ColumnsChip shown={shown} onToggle={toggle} />
        </div>
      </TraceFilters>
      <div ref={list} className="flex flex-1 flex-col">
        {!isEverything ? (
          <TraceList
            search={search}
            isFiltered={isFiltered}
            onFilter={filter}
            onPage={(next) => void navigate({ search: (before) => omitEmpty({ ...before, page: next }) })}
            selected={selected}
            shown={shown}
            onSelect={([first, second, ...more]) => {
              setMoreSelected(more);
              void navigate({
                search: (before) => omitEmpty({ ...before, compareA: first, compareB: second }),
                replace: true,
                resetScroll: false,
              });
            }}
            onClear={clear}
          />
        ) : text.length < MIN_SEARCH_LENGTH ? (
          <EmptyState title="Search in everything">
            <p>
              Type at least {MIN_SEARCH_LENGTH} characters to search all names, inputs, outputs, metadata,
              decisions and events.
            </p>
          </EmptyState>
        ) : (
          <SearchResults
            text={text}
            searchKey={JSON.stringify(filters)}
            createQuery={() => toSearchRequest(filters, Date.now())}
            onClearFilters={Object.keys(otherFilters).length > 0 ? clearOthers : undefined}
          />
        )}
      </div>
    </>
  );
}
