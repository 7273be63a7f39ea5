import { useCallback, useMemo, useRef, useState } from "react";
import { Notice } from "../ui/notice.tsx";
import { Splitter } from "../ui/splitter.tsx";
import { useMediaQuery } from "../ui/use-media-query.ts";
import { DetailsPanel } from "./details/details-panel.tsx";
import { activeRowKey } from "./model/active-row-key.ts";
import { cachedCriticalPath } from "./model/cached-critical-path.ts";
import { flattenRows, type ToggledKeys, withAncestorsExpanded } from "./model/flatten-rows.ts";
import { nextNode } from "./model/next-node.ts";
import { timeScale } from "./model/time-scale.ts";
import { FULL_RANGE } from "./model/time-ticks.ts";
import type { TraceSearchParams } from "./model/trace-search-params.ts";
import { decisionKey, spanKey, type TraceTree, type TreeItem, type TreeNode } from "./model/trace-tree.ts";
import { Transcript } from "./transcript.tsx";
import { Minimap } from "./tree/minimap.tsx";
import { TreeGrid, type TreeGridHandle } from "./tree/tree-grid.tsx";
import { TreeToolbar } from "./tree/tree-toolbar.tsx";
import { PANEL_MAX, PANEL_MIN, usePanelWidth } from "./use-panel-width.ts";
import { useSearchMatches } from "./use-search-matches.ts";
import { useTraceLocation } from "./use-trace-location.ts";
import { useTraceShortcuts } from "./use-trace-shortcuts.ts";

/** Minimap, tree and details, and what is selected in all three. */
export function TraceWorkbench({ tree }: { tree: TraceTree }) {
  const { place, go } = useTraceLocation();
  const selected = nodeAt(tree, place);
  const [groupKey, setGroupKey] = useState<string | null>(null);
  const [toggled, setToggled] = useState<ToggledKeys>(() =>
    selected ? withAncestorsExpanded(selected, new Set()) : new Set(),
  );
  const [zoom, setZoom] = useState(FULL_RANGE);
  const [isFolding, setIsFolding] = useState(true);
  const [isSheetOpen, setIsSheetOpen] = useState(selected !== null);
  const { width, onWidth } = usePanelWidth();
  const isPhone = useMediaQuery("(max-width: 767px)");
  const isNarrow = useMediaQuery("(max-width: 639px)");
  const grid = useRef<TreeGridHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLElement>(null);

  // A place that came from outside may lie in something folded.
  const [shownPlace, setShownPlace] = useState(place);
  if (shownPlace !== place) {
    setShownPlace(place);
    if (selected && groupKey === null) setToggled(withAncestorsExpanded(selected, toggled));
  }

  const rows = useMemo(() => flattenRows(tree, toggled), [tree, toggled]);
  const indexByKey = useMemo(() => new Map(rows.map(({ item }, index) => [item.key, index])), [rows]);
  const scale = useMemo(() => timeScale(tree, isFolding), [tree, isFolding]);
  const hasGaps = !isFolding || scale.folds.length > 0;
  const isCritical = place.find === "critical";
  const path = isCritical ? cachedCriticalPath(tree) : null;
  const { nodes, marked } = useSearchMatches(tree, place);
  const activeKey = activeRowKey(indexByKey, groupKey, selected);

  const select = useCallback(
    (item: TreeItem, isStep = false) => {
      setGroupKey(item.kind === "group" ? item.key : null);
      const node = item.kind === "group" ? item.items[0] : item;
      if (node) go(placeOf(node), { isStep });
      setIsSheetOpen(true);
    },
    [go],
  );
  const onNavigate = useCallback((node: TreeNode) => select(node, true), [select]);
  const onToggle = useCallback((item: TreeItem) => {
    setToggled((before) => {
      const next = new Set(before);
      if (!next.delete(item.key)) next.add(item.key);
      return next;
    });
  }, []);
  const onStep = (step: 1 | -1) => {
    const next = nextNode(tree, nodes ?? [], selected, step);
    if (next) select(next);
  };
  const onRow = (step: 1 | -1) => {
    const at = activeKey === null ? -1 : (indexByKey.get(activeKey) ?? -1);
    const row = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
    if (row) select(row.item);
  };
  const onFind = (find: TraceSearchParams["find"]) => go({ find, q: undefined });
  useTraceShortcuts({
    tree,
    selected,
    onNavigate: select,
    onStep,
    onRow,
    onCritical: () => onFind(isCritical ? undefined : "critical"),
    onSearch: () => field.current?.focus(),
  });

  const view = place.view ?? "tree";
  const tab = place.tab ?? (selected?.kind === "decision" ? "decisions" : "overview");
  const isLost = !selected && (place.span !== undefined || place.decision !== undefined);
  const details = (
    <DetailsPanel
      tree={tree}
      selected={selected}
      tab={tab}
      onTab={(next) => go({ tab: next })}
      onNavigate={onNavigate}
    />
  );
  return (
    <>
      <Minimap
        tree={tree}
        scale={scale}
        zoom={zoom}
        decisionKey={selected?.kind === "decision" ? selected.key : null}
        onZoom={setZoom}
        onDecision={select}
      />
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <TreeToolbar
            text={place.q ?? ""}
            onText={(text) => go({ q: text || undefined, find: undefined })}
            onStep={onStep}
            match={nodes && { at: selected ? nodes.indexOf(selected) + 1 : 0, count: nodes.length }}
            errorCount={tree.errors.length}
            find={place.q ? undefined : place.find}
            onFind={onFind}
            isZoomed={zoom !== FULL_RANGE}
            onZoomOut={() => setZoom(FULL_RANGE)}
            folding={hasGaps ? { isOn: isFolding, onChange: setIsFolding } : null}
            view={view}
            onView={(next) => go({ view: next === "tree" ? undefined : next }, { isStep: true })}
            field={field}
          />
          {isLost && (
            <div className="p-3">
              <Notice tone="retry">
                What this link points to is not in this trace. It may have been sent again without it.
              </Notice>
            </div>
          )}
          {rows.length === 0 ? (
            <p className="p-6 text-muted">
              {tree.outline.status === "RUNNING"
                ? "Nothing has been sent of this run yet. It will appear here by itself."
                : "This trace holds no spans and no decisions."}
            </p>
          ) : view === "transcript" ? (
            <Transcript tree={tree} selectedKey={selected?.key ?? null} onNavigate={onNavigate} />
          ) : (
            <TreeGrid
              rows={rows}
              rowHeight={isNarrow ? 44 : 28}
              indexByKey={indexByKey}
              selectedKey={activeKey}
              marked={marked}
              path={path}
              scale={scale}
              zoom={zoom}
              onSelect={select}
              onToggle={onToggle}
              onOpen={() =>
                panel.current?.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus()
              }
              handle={grid}
            />
          )}
        </div>
        {isPhone ? (
          isSheetOpen && (
            <aside
              ref={panel}
              aria-label="Details"
              className="fixed inset-x-0 bottom-0 z-20 flex h-[62dvh] flex-col rounded-t-xl border-t border-line bg-bg shadow-[0_-8px_30px_rgb(0_0_0/0.18)] motion-safe:animate-[fade-in_150ms]"
            >
              <button
                type="button"
                className="min-h-11 shrink-0 border-b border-line px-4 text-left font-medium text-accent"
                onClick={() => {
                  setIsSheetOpen(false);
                  grid.current?.focus();
                }}
              >
                Close details
              </button>
              {details}
            </aside>
          )
        ) : (
          <>
            <Splitter width={width} min={PANEL_MIN} max={PANEL_MAX} onWidth={onWidth} />
            <aside
              ref={panel}
              aria-label="Details"
              className="flex min-h-0 max-w-[60%] shrink-0 flex-col"
              style={{ width }}
            >
              {details}
            </aside>
          </>
        )}
      </div>
    </>
  );
}

function nodeAt(tree: TraceTree, { span, decision }: TraceSearchParams): TreeNode | null {
  if (decision !== undefined) return tree.byKey.get(decisionKey(decision)) ?? null;
  return span === undefined ? null : (tree.byKey.get(spanKey(span)) ?? null);
}

/** A decision is shown as a decision; from span to span the chosen tab stays. */
const placeOf = (node: TreeNode): TraceSearchParams =>
  node.kind === "decision"
    ? { decision: node.decision.id, span: undefined, tab: undefined }
    : { span: node.span.id, decision: undefined };
