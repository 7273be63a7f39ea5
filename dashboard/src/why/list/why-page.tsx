import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import type { WhyList } from "@whytrace/contract";
import { useCallback } from "react";
import { omitEmpty } from "../../client/search-params.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { type KeyHint, KeyHints } from "../../ui/key-hints.tsx";
import { EmptyState, ErrorNotice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { useListShortcuts } from "../../ui/use-list-shortcuts.ts";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import { AgentPicker } from "../agent-picker.tsx";
import { CountedRange } from "../counted-range.tsx";
import { DEFAULT_RANGE } from "../counted-search.ts";
import { countedTraces } from "../counted-traces.ts";
import { HowCounted } from "../how-counted.tsx";
import { whyQuery } from "../insights-query.ts";
import { ProgressNotice } from "../progress-notice.tsx";
import { ReleasePicker } from "../release-picker.tsx";
import { useLiveInsights } from "../use-live-insights.ts";
import { useSetAside } from "../use-set-aside.ts";
import { WhySwitch } from "../why-switch.tsx";
import { filterRows } from "./filter-rows.ts";
import { WhyEmpty, WhyNoAlternatives } from "./why-empty.tsx";
import { toggleGroup, type WhySearch } from "./why-search.ts";
import { WhySkeleton } from "./why-skeleton.tsx";
import { WhyTable } from "./why-table.tsx";
import { WhyToolbar } from "./why-toolbar.tsx";
import { WhyTotals } from "./why-totals.tsx";

const ROUTE = "/signed-in/why";
const route = getRouteApi(ROUTE);

export const whyPage = createLazyRoute(ROUTE)({ component: WhyPage });

const KEYS: KeyHint[] = [
  [["j", "k"], "row"],
  [["↵"], "scorecard"],
  [["f"], "failed traces"],
  [["m"], "set aside"],
];

function WhyPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const why = useQuery(whyQuery(search));
  const { list: element, search: field, move } = useListShortcuts();
  const setAside = useSetAside();
  useLiveInsights();
  const show = useCallback(
    (change: WhySearch, isContinued = false) =>
      void navigate({ search: (before) => omitEmpty({ ...before, ...change }), replace: isContinued }),
    [navigate],
  );
  const focusedRow = () => why.data?.rows.find(({ signature }) => signature === focusedSignature());
  useShortcuts({
    f: () => {
      const row = focusedRow();
      const option = row?.options.find(({ step }) => step === row.comparison?.worst) ?? row?.options[0];
      if (!why.data || !option) return;
      const traces = { step: option.step, outcome: "failed", about: option.name } as const;
      void navigate({
        to: paths.traces,
        search: omitEmpty({ ...countedTraces(why.data, search), ...traces }),
      });
    },
    m: () => {
      const row = focusedRow();
      if (!why.data || !row) return;
      // The row moves to another group, so the focus goes on to the next one.
      move(1);
      setAside.mutate({ signature: row.signature, isAside: row.group !== "aside", from: why.data.from });
    },
  });
  const { range = DEFAULT_RANGE } = search;
  return (
    <>
      <PageHeader title="Why">
        <AgentPicker search={search} onChange={(agent) => show({ agent })} />
        <ReleasePicker
          releases={why.data?.releases ?? []}
          release={search.release}
          onChange={(release) => show({ release })}
        />
        <WhyTotals list={why.data} search={search} />
        <div className="flex flex-wrap gap-2 max-sm:w-full md:ml-auto">
          <WhySwitch search={search} />
          <CountedRange range={range} onChange={(next) => show({ range: next })} />
        </div>
      </PageHeader>
      <WhyToolbar
        search={search}
        drifting={why.data?.rows.filter(({ drift }) => drift !== null).length ?? 0}
        field={field}
        onFilter={show}
      />
      <ProgressNotice progress={why.data?.progress} />
      {setAside.error && (
        <div className="px-4 pt-3">
          <ErrorNotice error={setAside.error} />
        </div>
      )}
      <div ref={element} aria-busy={why.isFetching} className="flex-1">
        <QueryResult query={why} skeleton={<WhySkeleton />}>
          {(list) =>
            list.rows.length === 0 ? (
              <WhyEmpty list={list} range={range} onRange={(next) => show({ range: next })} />
            ) : hasNoAlternatives(list) ? (
              <WhyNoAlternatives decisions={list.decisions} />
            ) : (
              <Rows list={list} search={search} onShow={show} />
            )
          }
        </QueryResult>
      </div>
      <footer className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-bg px-4 py-2.5 md:sticky md:bottom-0 md:z-2">
        <HowCounted>
          Association, not cause. Compared after the same previous decision; rows overlap, so they do not add
          up.
        </HowCounted>
        <KeyHints hints={KEYS} />
      </footer>
    </>
  );
}

function Rows({
  list,
  search,
  onShow,
}: {
  list: WhyList;
  search: WhySearch;
  onShow: (change: WhySearch) => void;
}) {
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
        onToggle={(group) => onShow({ toggled: toggleGroup(search.toggled, group) })}
      />
      {list.isTruncated && (
        <p className="px-4 py-2 text-xs text-muted">
          There are very many different decisions. Only the most frequent ones of each day are counted.
        </p>
      )}
    </>
  );
}

/** Hashes of the options' names differ from run to run, or nothing but the chosen option was sent. */
const hasNoAlternatives = ({ rows }: WhyList) =>
  rows.every(({ options, neverChosen, group }) => group === "few" && options.length + neverChosen.length < 2);

const focusedSignature = () =>
  document.activeElement?.closest("tr")?.querySelector<HTMLElement>("[data-row]")?.dataset.row;
