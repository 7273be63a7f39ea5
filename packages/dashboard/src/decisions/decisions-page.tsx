import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import { DECISION_SORTS } from "@whytrace/contract";
import { useCallback } from "react";
import { decisionRows } from "../client/live-rows.ts";
import { omitEmpty, parsePage } from "../client/search-params.ts";
import { useLiveList } from "../client/use-live-list.ts";
import { paths } from "../paths.ts";
import { FirstSteps } from "../shell/first-steps.tsx";
import { Button } from "../ui/controls/button.tsx";
import { SegmentedControl } from "../ui/controls/segmented-control.tsx";
import { useListShortcuts } from "../ui/hooks/use-list-shortcuts.ts";
import { NewRowsButton } from "../ui/new-rows-button.tsx";
import { EmptyState } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { Pager } from "../ui/pager.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { TypeFilter } from "../why/type-filter.tsx";
import { DecisionFilters } from "./decision-filters.tsx";
import { DecisionRows, DecisionRowsSkeleton } from "./decision-rows.tsx";
import { DECISIONS_PAGE_SIZE, decisionsQuery } from "./decisions-query.ts";
import type { DecisionsSearch } from "./decisions-search.ts";

const ROUTE = "/signed-in/decisions";
const route = getRouteApi(ROUTE);

export const decisionsPage = createLazyRoute(ROUTE)({ component: DecisionsPage });

function DecisionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const decisions = useQuery(decisionsQuery(search));
  const { list, search: field } = useListShortcuts();
  const { newCount, showNew } = useLiveList(
    decisionsQuery(search),
    decisionRows,
    () => void navigate({ search: (before) => omitEmpty({ ...before, page: undefined }) }),
  );
  const filter = useCallback(
    (change: DecisionsSearch, isContinued = false) =>
      void navigate({
        search: (before) => omitEmpty({ ...before, page: undefined, ...change }),
        replace: isContinued,
      }),
    [navigate],
  );
  const onSearch = useCallback(
    (text: string | undefined, isContinued: boolean) => filter({ search: text }, isContinued),
    [filter],
  );
  const clear = () => void navigate({ search: omitEmpty({ sort: search.sort }) });
  const { sort: _sort, page: _page, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <PageHeader title="Decisions" count={decisions.data?.total.toLocaleString("en")} />
      <search className="flex flex-wrap items-center gap-1.5 border-b border-line px-4 pb-2.5">
        <SearchField
          ref={field}
          label="Search reasoning, choices and trace names"
          placeholder="Search reasoning, choice, trace"
          value={search.search}
          onSearch={onSearch}
        />
        <TypeFilter value={search.type} onChange={(type) => filter({ type })} />
        <DecisionFilters search={search} onFilter={filter} />
        {isFiltered && <Button onClick={clear}>Clear filters</Button>}
        <div className="max-sm:w-full md:ml-auto">
          <SegmentedControl
            label="Sort"
            options={DECISION_SORTS}
            value={search.sort ?? "newest"}
            onChange={(next) => filter({ sort: next === "newest" ? undefined : next })}
          />
        </div>
      </search>
      <NewRowsButton newCount={newCount} onShow={showNew} />
      <div ref={list} aria-busy={decisions.isFetching} className="flex-1">
        <QueryResult query={decisions} skeleton={<DecisionRowsSkeleton />}>
          {(data) =>
            data.decisions.length > 0 ? (
              <DecisionRows decisions={data.decisions} />
            ) : data.total > 0 ? (
              <EmptyState title={`Page ${search.page ?? 1} does not exist`}>
                <Button onClick={() => filter({})}>Go to first page</Button>
              </EmptyState>
            ) : isFiltered ? (
              <EmptyState title="No decisions match these filters">
                <Button onClick={clear}>Clear filters</Button>
              </EmptyState>
            ) : (
              <EmptyState title="No decisions yet">
                <p>
                  A decision point records what the agent chose, the alternatives and the reasoning. Add
                  decision points to a trace to see them here.
                </p>
                <FirstSteps path={paths.decisions} />
              </EmptyState>
            )
          }
        </QueryResult>
      </div>
      {decisions.data && decisions.data.total > DECISIONS_PAGE_SIZE && (
        <Pager
          page={search.page ?? 1}
          limit={DECISIONS_PAGE_SIZE}
          total={decisions.data.total}
          onPage={(next) =>
            void navigate({ search: (before) => omitEmpty({ ...before, page: parsePage(next) }) })
          }
        />
      )}
    </>
  );
}
