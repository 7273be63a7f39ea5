import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { traceRows } from "../client/live-rows.ts";
import { parseOneOf, parsePage } from "../client/search-params.ts";
import { useLiveList } from "../client/use-live-list.ts";
import { paths } from "../paths.ts";
import { useGivenReviews } from "../scores/use-save-review.ts";
import { FirstSteps } from "../shell/first-steps.tsx";
import { Button } from "../ui/controls/button.tsx";
import { NewRowsButton } from "../ui/new-rows-button.tsx";
import { EmptyState } from "../ui/notice.tsx";
import { Pager } from "../ui/pager.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { DEFAULT_PAGE_SIZE, PAGE_SIZES, type TracesSearch } from "./filters/traces-search.ts";
import { MarkedBar } from "./marked-bar.tsx";
import { ReviewBar } from "./review-bar.tsx";
import { selectRange, toggleSelected } from "./selection.ts";
import type { TraceColumn } from "./trace-columns.ts";
import { TraceRows, TraceRowsSkeleton } from "./trace-rows.tsx";
import { tracesQuery } from "./traces-query.ts";
import { useMarkShortcut } from "./use-mark-shortcut.ts";
import { useReviewShortcut } from "./use-review-shortcut.ts";

interface TraceListProps {
  search: TracesSearch;
  isFiltered: boolean;
  onFilter: (change: TracesSearch) => void;
  onPage: (page: number | undefined) => void;
  /** The ids of the traces that are selected. */
  selected: readonly string[];
  shown: readonly TraceColumn[];
  onSelect: (ids: string[]) => void;
  onClear: () => void;
}

/** One page of the traces that match the filters, updated live. */
export function TraceList(props: TraceListProps) {
  const { search, isFiltered, onFilter, onPage, selected, shown, onSelect, onClear } = props;
  const { page = 1, limit = DEFAULT_PAGE_SIZE } = search;
  const traces = useQuery(tracesQuery(search));
  const { newCount, showNew } = useLiveList(tracesQuery(search), traceRows, () => onPage(undefined));
  const total = traces.data?.total ?? 0;
  const listed = traces.data?.traces ?? [];
  const mark = (id: string, isRange: boolean) =>
    onSelect(
      isRange
        ? selectRange(
            selected,
            listed.map((trace) => trace.id),
            id,
          )
        : toggleSelected(selected, id),
    );
  useMarkShortcut(mark);
  useReviewShortcut();
  const [openedMs] = useState(Date.now);
  const reviews = useGivenReviews().filter(({ atMs }) => atMs >= openedMs);
  return (
    <>
      <NewRowsButton newCount={newCount} onShow={showNew} />
      <div aria-busy={traces.isFetching} className="flex-1">
        <QueryResult query={traces} skeleton={<TraceRowsSkeleton shown={shown} />}>
          {(data) =>
            data.traces.length > 0 ? (
              <TraceRows
                traces={data.traces}
                shown={shown}
                selected={selected}
                reviews={new Map(reviews.map((review) => [review.traceId, review]))}
                onMark={mark}
                order={{
                  sort: search.sort ?? "newest",
                  onSort: (sort) => onFilter({ sort: sort === "newest" ? undefined : sort }),
                }}
              />
            ) : data.total > 0 ? (
              <EmptyState title={`Page ${page} does not exist`}>
                <Button onClick={() => onFilter({})}>Go to first page</Button>
              </EmptyState>
            ) : isFiltered ? (
              <EmptyState title="No traces match these filters">
                {search.search && (
                  <Button kind="primary" onClick={() => onFilter({ in: "everything" })}>
                    Search for “{search.search}” in everything
                  </Button>
                )}
                <Button onClick={onClear}>Clear filters</Button>
              </EmptyState>
            ) : (
              <EmptyState title="No traces yet">
                <p>Send a trace with an API key, and it will appear here.</p>
                <FirstSteps path={paths.traces} />
              </EmptyState>
            )
          }
        </QueryResult>
      </div>
      <ReviewBar review={reviews.at(-1)} rows={listed} />
      <MarkedBar selected={selected} rows={listed} onClear={() => onSelect([])} />
      {total > Number(DEFAULT_PAGE_SIZE) && (
        <Pager
          page={page}
          limit={Number(limit)}
          total={total}
          onPage={(next) => onPage(parsePage(next))}
          sizes={PAGE_SIZES}
          onSize={(size) =>
            onFilter({ limit: size === DEFAULT_PAGE_SIZE ? undefined : parseOneOf(PAGE_SIZES, size) })
          }
        />
      )}
    </>
  );
}
