import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import type { DecisionMap, MapNode } from "@whytrace/contract";
import { useCallback, useMemo } from "react";
import { omitEmpty } from "../../client/search-params.ts";
import { paths } from "../../paths.ts";
import { FirstSteps } from "../../shell/first-steps.tsx";
import { useListShortcuts } from "../../ui/hooks/use-list-shortcuts.ts";
import { useMediaQuery } from "../../ui/hooks/use-media-query.ts";
import { useShortcuts } from "../../ui/hooks/use-shortcuts.ts";
import { type KeyHint, KeyHints } from "../../ui/key-hints.tsx";
import { EmptyState } from "../../ui/notice.tsx";
import { PageFooter } from "../../ui/page-footer.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonLine, SkeletonRows } from "../../ui/skeleton.tsx";
import { AgentPicker } from "../agent-picker.tsx";
import { CountedRange } from "../counted-range.tsx";
import { countedTraces } from "../counted-traces.ts";
import { HowCounted } from "../how-counted.tsx";
import { mapQuery } from "../insights-query.ts";
import { OutcomeNotes } from "../outcome-notes.tsx";
import { ProgressNotice } from "../progress-notice.tsx";
import { unknownTraces } from "../unknown-traces.ts";
import { useLiveInsights } from "../use-live-insights.ts";
import { WhySwitch } from "../why-switch.tsx";
import { DecisionMapView } from "./decision-map-view.tsx";
import { failedTraces } from "./failed-traces.ts";
import { foldRare } from "./fold-rare.ts";
import { listedChoices } from "./listed-choices.ts";
import { MapPanel } from "./map-panel.tsx";
import type { MapSearch } from "./map-search.ts";
import { findSelection } from "./map-selection.ts";
import { MapTable } from "./map-table.tsx";
import { MapToolbar } from "./map-toolbar.tsx";
import { MapTotals } from "./map-totals.tsx";

const ROUTE = "/signed-in/why/map";
const route = getRouteApi(ROUTE);

export const mapPage = createLazyRoute(ROUTE)({ component: MapPage });

const KEYS: KeyHint[] = [
  [["↑", "↓"], "follow"],
  [["←", "→"], "sibling"],
  [["↵"], "scorecard"],
  [["f"], "bad traces"],
  [["+", "-", "0"], "zoom"],
];

function MapPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const map = useQuery(mapQuery(search));
  useLiveInsights();
  const show = useCallback(
    (change: MapSearch, isContinued = false) =>
      void navigate({ search: (before) => omitEmpty({ ...before, ...change }), replace: isContinued }),
    [navigate],
  );
  return (
    <>
      <PageHeader title="Why">
        <AgentPicker
          search={search}
          onChange={(agent) =>
            show({ agent, step: undefined, from: undefined, choices: undefined, paths: undefined })
          }
        />
        {map.isLoading && <SkeletonLine className="w-44" />}
        {map.data && <MapTotals map={map.data} />}
        <div className="flex flex-wrap gap-2 max-sm:w-full md:ml-auto">
          <WhySwitch search={search} />
          <CountedRange range={search.range} onChange={(range) => show({ range })} />
        </div>
      </PageHeader>
      <ProgressNotice progress={map.data?.progress} />
      <OutcomeNotes
        counted={map.data}
        tracesOf={map.data && unknownTraces(countedTraces(map.data, search))}
      />
      <QueryResult query={map} skeleton={<SkeletonRows />}>
        {(data) =>
          data.nodes.length === 0 ? (
            <EmptyState title="No decisions in this time range">
              <p>
                The map shows runs that have ended and recorded decisions. Choose a longer time range or
                another agent.
              </p>
              <FirstSteps path={paths.decisionMap} />
            </EmptyState>
          ) : (
            <MapContent map={data} search={search} onShow={show} />
          )
        }
      </QueryResult>
      <PageFooter isSticky>
        <HowCounted>
          Association, not cause. A path joins two decisions in a row; a run that comes again counts again.
        </HowCounted>
        <KeyHints hints={KEYS} />
      </PageFooter>
    </>
  );
}

interface MapContentProps {
  map: DecisionMap;
  search: MapSearch;
  onShow: (change: MapSearch, isContinued?: boolean) => void;
}

function MapContent({ map, search, onShow }: MapContentProps) {
  const navigate = route.useNavigate();
  const isNarrow = useMediaQuery("(max-width: 1023px)");
  const { view = isNarrow ? "table" : "map" } = search;
  const { search: text, choices, paths: drawn, step: selected } = search;
  const isFound = useCallback(
    ({ name }: MapNode) => text === undefined || name.toLowerCase().includes(text.toLowerCase()),
    [text],
  );
  const folded = useMemo(() => {
    const isKept = (node: MapNode) => node.step === selected || (text !== undefined && isFound(node));
    return foldRare(map, { choices, paths: drawn, isKept });
  }, [map, choices, drawn, selected, text, isFound]);
  const found = text === undefined ? undefined : listedChoices(map).filter(isFound);
  const selection = findSelection(folded, search);
  const { list, search: field } = useListShortcuts();
  const select = (step: string, from?: string) => onShow({ step, from }, true);
  const open = ({ signature }: MapNode) => {
    if (signature !== null)
      void navigate({
        to: paths.scorecard,
        params: { signature },
        search: map.agent ? { agent: map.agent } : {},
      });
  };
  useShortcuts({
    f: () => {
      if (selection)
        void navigate({
          to: paths.traces,
          search: omitEmpty(failedTraces(map, selection.node, selection.before?.node.step)),
        });
    },
  });
  return (
    <>
      <MapToolbar
        map={map}
        folded={folded}
        search={search}
        view={view}
        found={found?.length}
        field={field}
        onShow={onShow}
      />
      <div ref={list} className="flex min-h-0 flex-1 max-lg:flex-col">
        {view === "map" ? (
          <DecisionMapView
            map={map}
            folded={folded}
            selection={selection}
            isFound={isFound}
            onSelect={select}
            onOpen={open}
          />
        ) : (
          <div className="min-w-0 flex-1">
            <MapTable map={map} folded={folded} selection={selection} isFound={isFound} onSelect={select} />
          </div>
        )}
        {selection && (
          <MapPanel
            map={map}
            folded={folded}
            selection={selection}
            onClose={() => onShow({ step: undefined, from: undefined }, true)}
          />
        )}
      </div>
    </>
  );
}
