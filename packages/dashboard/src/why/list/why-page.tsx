import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import type { WhyList } from "@whytrace/contract";
import { memo, useCallback } from "react";
import { omitEmpty } from "../../client/search-params.ts";
import { useIsReadOnly } from "../../client/use-role.ts";
import { paths } from "../../paths.ts";
import type { CountedTraces } from "../../traces/trace-count.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { useListShortcuts } from "../../ui/hooks/use-list-shortcuts.ts";
import { useShortcuts } from "../../ui/hooks/use-shortcuts.ts";
import { type KeyHint, KeyHints } from "../../ui/key-hints.tsx";
import { EmptyState, ErrorNotice } from "../../ui/notice.tsx";
import { PageFooter } from "../../ui/page-footer.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonLine } from "../../ui/skeleton.tsx";
import { AgentPicker } from "../agent-picker.tsx";
import { CountedRange } from "../counted-range.tsx";
import { DEFAULT_RANGE } from "../counted-search.ts";
import { countedTraces } from "../counted-traces.ts";
import { badTracesOf } from "../findings/bad-traces.ts";
import { findingsQuery } from "../findings/findings-query.ts";
import { FindingsSection } from "../findings/findings-section.tsx";
import { HowCounted } from "../how-counted.tsx";
import { whyQuery } from "../insights-query.ts";
import { OutcomeNotes } from "../outcome-notes.tsx";
import { ProgressNotice } from "../progress-notice.tsx";
import { ReleasePicker } from "../release-picker.tsx";
import { unknownTraces } from "../unknown-traces.ts";
import { useLiveInsights } from "../use-live-insights.ts";
import { useSetAside } from "../use-set-aside.ts";
import { WhySwitch } from "../why-switch.tsx";
import { filterRows } from "./filter-rows.ts";
import { UndecidedRuns } from "./undecided-runs.tsx";
import { WhyEmpty } from "./why-empty.tsx";
import type { WhySearch } from "./why-search.ts";
import { WhySkeleton } from "./why-skeleton.tsx";
import { WhyTable } from "./why-table.tsx";
import { WhyToolbar } from "./why-toolbar.tsx";
import { WhyTotals } from "./why-totals.tsx";

const ROUTE = "/signed-in/why";
const route = getRouteApi(ROUTE);

export const whyPage = createLazyRoute(ROUTE)({ component: WhyPage });

const keysOf = (isReadOnly: boolean): KeyHint[] => [
  [["j", "k"], "row"],
  [["↵"], "scorecard"],
  [["f"], "bad runs"],
  ...(isReadOnly ? [] : [[["m"], "ignore"] satisfies KeyHint]),
];

function WhyPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const why = useQuery(whyQuery(search));
  const { list: element, search: field, move } = useListShortcuts();
  const isReadOnly = useIsReadOnly();
  const setAside = useSetAside();
  useLiveInsights();
  const show = useCallback(
    (change: WhySearch, isContinued = false) =>
      void navigate({ search: (before) => omitEmpty({ ...before, ...change }), replace: isContinued }),
    [navigate],
  );
  const found = useQuery(findingsQuery(search)).data;
  /** The traces behind the focused row: of a finding the bad ones, of a decision those in which its first option failed. */
  const focusedTraces = (): CountedTraces | undefined => {
    const { signature, step } = focusedItem();
    const finding = found?.rows.find((one) => one.signature === signature && one.step === step);
    if (found && finding) return badTracesOf(found, finding);
    const option = why.data?.rows.find((one) => one.signature === signature)?.options[0];
    if (!why.data || !option) return undefined;
    return {
      ...countedTraces(why.data, search),
      step: option.step,
      stepOutcome: "failed",
      about: option.name,
    };
  };
  useShortcuts({
    f: () => {
      const traces = focusedTraces();
      if (traces) void navigate({ to: paths.traces, search: omitEmpty(traces) });
    },
    m: () => {
      const { signature } = focusedItem();
      if (isReadOnly || !why.data || !signature) return;
      const isAside = why.data.rows.find((one) => one.signature === signature)?.isAside ?? false;
      // The row moves to another group, so the focus goes on to the next one.
      move(1);
      setAside.mutate({ signature, isAside: !isAside, from: why.data.from });
    },
  });
  const { range = DEFAULT_RANGE } = search;
  const isEmpty = why.data?.rows.length === 0;
  return (
    <>
      <PageHeader title="Why">
        <AgentPicker search={search} onChange={(agent) => show({ agent })} />
        <ReleasePicker
          releases={why.data?.releases ?? []}
          release={search.release}
          onChange={(release) => show({ release })}
        />
        {why.isLoading && <SkeletonLine className="w-72" />}
        <WhyTotals list={why.data} search={search} />
        <div className="flex flex-wrap gap-2 max-sm:w-full md:ml-auto">
          <WhySwitch search={search} />
          <CountedRange range={range} onChange={(next) => show({ range: next })} />
        </div>
      </PageHeader>
      {setAside.error && (
        <div className="px-4 pb-3">
          <ErrorNotice error={setAside.error} />
        </div>
      )}
      <div ref={element} aria-busy={why.isFetching} className="flex-1">
        {!isEmpty && (
          <>
            <FindingsSection search={search} onLens={(lens) => show({ lens })} />
            <WhyToolbar
              search={search}
              drifting={why.data?.rows.filter(({ drift }) => drift !== null).length ?? 0}
              field={field}
              onFilter={show}
            />
          </>
        )}
        <ProgressNotice progress={why.data?.progress} />
        <OutcomeNotes
          counted={why.data}
          tracesOf={why.data && unknownTraces(countedTraces(why.data, search))}
        />
        <QueryResult query={why} skeleton={<WhySkeleton />}>
          {(list) => (
            <>
              {list.rows.length === 0 ? (
                <WhyEmpty list={list} range={range} onRange={(next) => show({ range: next })} />
              ) : (
                <Rows list={list} search={search} onShow={show} />
              )}
              <UndecidedRuns list={list} />
            </>
          )}
        </QueryResult>
      </div>
      <PageFooter isSticky>
        <HowCounted>
          Association in the same situation, not cause. Findings add up to all bad runs; decisions overlap, so
          they do not.
        </HowCounted>
        <KeyHints hints={keysOf(isReadOnly)} />
      </PageFooter>
    </>
  );
}

interface RowsProps {
  list: WhyList;
  search: WhySearch;
  onShow: (change: WhySearch) => void;
}

/** Hundreds of rows: they are not rendered again when something else on the page arrives. */
const Rows = memo(function Rows({ list, search, onShow }: RowsProps) {
  const rows = filterRows(list.rows, search);
  if (rows.length === 0)
    return (
      <EmptyState title="No decisions match these filters">
        <Button onClick={() => onShow({ search: undefined, type: undefined, drifting: undefined })}>
          Clear filters
        </Button>
      </EmptyState>
    );
  return (
    <>
      <WhyTable
        list={list}
        rows={rows}
        search={search}
        onAside={() => onShow({ aside: search.aside ? undefined : "1" })}
      />
      {list.isTruncated && (
        <p className="px-4 py-2 text-xs text-muted">
          There are very many different decisions. Only the most frequent ones of each day are counted.
        </p>
      )}
    </>
  );
});

/** The decision that has the focus; of a finding also the step of its option. */
function focusedItem(): { signature?: string | undefined; step?: string | undefined } {
  const item = document.activeElement?.closest("tr, [data-finding]");
  const { row, step } = item?.querySelector<HTMLElement>("[data-row]")?.dataset ?? {};
  return { signature: row, step };
}
