import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import type { IssueList } from "@whytrace/contract";
import { useCallback } from "react";
import { omitEmpty } from "../client/search-params.ts";
import { RANGES } from "../client/time-ranges.ts";
import { issuesQuery } from "../issues/issues-query.ts";
import type { IssuesSearch } from "../issues/issues-search.ts";
import { useLiveIssues } from "../issues/use-live-issues.ts";
import { useListShortcuts } from "../ui/hooks/use-list-shortcuts.ts";
import { type KeyHint, KeyHints } from "../ui/key-hints.tsx";
import { PageFooter } from "../ui/page-footer.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { CountedRange } from "../why/counted-range.tsx";
import { InboxFilters } from "./inbox-filters.tsx";
import { InboxList } from "./inbox-list.tsx";
import { IssueTabs, openCount } from "./issue-tabs.tsx";

const ROUTE = "/signed-in/issues";
const route = getRouteApi(ROUTE);

export const inboxPage = createLazyRoute(ROUTE)({ component: InboxPage });

const KEYS: KeyHint[] = [
  [["j", "k"], "row"],
  [["x"], "select"],
  [["e"], "resolve"],
  [["i"], "ignore"],
  [["a"], "assign"],
  [["m"], "merge"],
  [["f"], "traces"],
  [["z"], "undo"],
];

function InboxPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const issues = useQuery(issuesQuery(search));
  const { list, search: field } = useListShortcuts();
  useLiveIssues();
  // Every change of a filter goes to the first page.
  const filter = useCallback(
    (change: IssuesSearch, isContinued = false) =>
      void navigate({
        search: (before) => omitEmpty({ ...before, page: undefined, ...change }),
        replace: isContinued,
        resetScroll: false,
      }),
    [navigate],
  );
  const { state, range, sort, page, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  const clear = () => void navigate({ search: omitEmpty({ state, range, sort }) });
  return (
    <>
      <PageHeader title="Inbox" count={issues.data && countWords(issues.data, RANGES[range ?? "30d"].label)}>
        <div className="md:ml-auto max-sm:w-full">
          <CountedRange range={range} onChange={(next) => filter({ range: next })} />
        </div>
      </PageHeader>
      <IssueTabs search={search} counts={issues.data?.counts} />
      <InboxFilters search={search} field={field} isFiltered={isFiltered} onFilter={filter} onClear={clear} />
      <div ref={list} aria-busy={issues.isLoading} className="flex flex-1 flex-col">
        <QueryResult query={issues} skeleton={<SkeletonRows count={8} height="h-16" />}>
          {(data) => (
            <InboxList
              data={data}
              isPlaceholder={issues.isPlaceholderData}
              search={search}
              isFiltered={isFiltered}
              onClear={clear}
              onPage={(next) => void navigate({ search: omitEmpty({ ...search, page: next }) })}
            />
          )}
        </QueryResult>
      </div>
      <PageFooter>
        <span>A run may be in several issues, so they do not add up.</span>
        <KeyHints hints={KEYS} />
      </PageFooter>
    </>
  );
}

const countWords = ({ counts }: IssueList, range: string) =>
  [
    `${openCount(counts).toLocaleString("en")} open`,
    counts.regressed > 0 && `${counts.regressed.toLocaleString("en")} regressed`,
    counts.new > 0 && `${counts.new.toLocaleString("en")} new`,
    `last ${range}`,
  ]
    .filter(Boolean)
    .join(" · ");
