import { useNavigate } from "@tanstack/react-router";
import type { SearchHit } from "@whytrace/contract";
import { useCallback, useContext, useDeferredValue, useMemo, useRef, useState } from "react";
import { MIN_SEARCH_LENGTH } from "../client/read-search.ts";
import { useIsReadOnly } from "../client/use-role.ts";
import { paths } from "../paths.ts";
import { ReviewKeys } from "../scores/review-keys.tsx";
import { useRunOutcome } from "../scores/use-run-outcome.ts";
import { Kbd } from "../ui/badges.tsx";
import { useMediaQuery } from "../ui/hooks/use-media-query.ts";
import { Notice } from "../ui/notice.tsx";
import { Splitter } from "../ui/splitter.tsx";
import { VerdictKeys } from "../verdicts/verdict-keys.tsx";
import { DetailsPanel } from "./details/details-panel.tsx";
import { activeRowKey } from "./model/active-row-key.ts";
import { blameRail, blameRows } from "./model/blame-path.ts";
import { cachedCriticalPath } from "./model/cached-critical-path.ts";
import { flattenRows, type ToggledKeys, withAncestorsExpanded } from "./model/flatten-rows.ts";
import { nextNode } from "./model/next-node.ts";
import { type OutcomeMarks, outcomeMarks } from "./model/outcome-marks.ts";
import { timeScale } from "./model/time-scale.ts";
import { FULL_RANGE } from "./model/time-ticks.ts";
import { isInContents } from "./model/trace-hits.ts";
import type { Tab, TraceSearchParams } from "./model/trace-search-params.ts";
import { decisionKey, spanKey, type TraceTree, type TreeItem, type TreeNode } from "./model/trace-tree.ts";
import { FindContext } from "./payload/find.ts";
import { ShareContext } from "./payload/share-context.ts";
import { Transcript } from "./transcript/transcript.tsx";
import { LeftOut } from "./tree/left-out.tsx";
import { Minimap } from "./tree/minimap.tsx";
import { type ScrolledTo, TreeGrid, type TreeGridHandle } from "./tree/tree-grid.tsx";
import { TreeToolbar } from "./tree/tree-toolbar.tsx";
import { useBlame } from "./use-blame.ts";
import { useOpensOnWhy } from "./use-opens-on-why.ts";
import { MAX_PANEL_WIDTH, MIN_PANEL_WIDTH, usePanelWidth } from "./use-panel-width.ts";
import { useSearchMatches } from "./use-search-matches.ts";
import { useTraceHits } from "./use-trace-hits.ts";
import { type TraceLocation, useTraceLocation } from "./use-trace-location.ts";
import { useTraceShortcuts } from "./use-trace-shortcuts.ts";
import { useZoom } from "./use-zoom.ts";

/** The minimap, tree and details panel, with their shared selection. */
export function TraceWorkbench({ tree, ...location }: { tree: TraceTree } & TraceLocation) {
  const { params, setParams } = useTraceLocation(location);
  const navigate = useNavigate();
  const selected = selectedNode(tree, params);
  const [groupKey, setGroupKey] = useState<string | null>(null);
  const [toggled, setToggled] = useState<ToggledKeys>(() =>
    selected ? withAncestorsExpanded(selected, new Set()) : new Set(),
  );
  const [isFolding, setIsFolding] = useState(true);
  /** Undefined until the user opens or closes it. */
  const [isSheetOpen, setIsSheetOpen] = useState<boolean>();
  const [scrolledTo, setScrolledTo] = useState<ScrolledTo | null>(null);
  const { width, onWidth } = usePanelWidth();
  const share = useContext(ShareContext);
  const isShared = share !== null;
  const isReadOnly = useIsReadOnly();
  // Beside the details of a narrower screen, names in the tree would be cut.
  const isDrawer = useMediaQuery("(max-width: 1199px)");
  const isNarrow = useMediaQuery("(max-width: 639px)");
  const grid = useRef<TreeGridHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLElement>(null);

  // A new selection, for example from a link, may be inside a collapsed item.
  const [shownParams, setShownParams] = useState(params);
  if (shownParams !== params) {
    setShownParams(params);
    if (selectionOf(shownParams) !== selectionOf(params) && selected) setIsSheetOpen(true);
    if (selected && groupKey === null) setToggled(withAncestorsExpanded(selected, toggled));
  }

  const { outcome, scores } = useRunOutcome(tree.outline.id, !isShared);
  const marks = useMemo(() => outcomeMarks(tree, outcome, scores), [tree, outcome, scores]);
  const badNodes = useMemo(() => nodesWith(tree, marks), [tree, marks]);
  const isBlame = params.find === "blame" && !params.q;
  const isExplained = useOpensOnWhy(tree);
  const opensOnWhy = share ? share.hasWhy : isExplained;
  const tab = params.tab ?? defaultTab(selected, params, opensOnWhy);
  const isSheetShown = isSheetOpen ?? (selected !== null || params.tab !== undefined || opensOnWhy);
  const { isOffered, path, why, suspects, suspect, onSuspect } = useBlame(
    tree,
    selected,
    isBlame || tab === "why",
  );
  const shownPath = isBlame ? path : undefined;
  const rows = useMemo(
    () => (shownPath ? blameRows(tree, shownPath, toggled) : flattenRows(tree, toggled)),
    [tree, toggled, shownPath],
  );
  const blame = useMemo(
    () => (shownPath ? { path: shownPath, rail: blameRail(rows, shownPath) } : null),
    [shownPath, rows],
  );
  const indexByKey = useMemo(() => new Map(rows.map(({ item }, index) => [item.key, index])), [rows]);
  const scale = useMemo(() => timeScale(tree, isFolding), [tree, isFolding]);
  const [zoom, setZoom] = useZoom(scale);
  const hasGaps = !isFolding || scale.folds.length > 0;
  const isCritical = params.find === "critical";
  const criticalPath = isCritical ? cachedCriticalPath(tree) : null;
  const text = useDeferredValue(params.q ?? "");
  const { hits, isSearching, isTruncated, error, retry } = useTraceHits(tree, text);
  const { matches, outlineMatches, highlightedKeys } = useSearchMatches(tree, params, hits, badNodes);
  const findText = text.length < MIN_SEARCH_LENGTH ? "" : text;
  // The transcript only marks what was found.
  const transcriptFind = useMemo(() => ({ text: findText, register: () => () => {} }), [findText]);
  const activeKey = activeRowKey(indexByKey, groupKey, selected);

  const select = useCallback(
    (item: TreeItem, isNewEntry = false) => {
      setGroupKey(item.kind === "group" ? item.key : null);
      const node = item.kind === "group" ? item.items[0] : item;
      // Of a node that matches only in its contents, shows them.
      const hit =
        node && !outlineMatches?.has(node) ? hits.byKey.get(node.key)?.find(isInContents) : undefined;
      if (node) setParams({ ...selectionParams(node), ...(hit && hitParams(hit)) }, { isNewEntry });
      setIsSheetOpen(true);
    },
    [setParams, hits, outlineMatches],
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
    const next = nextNode(tree, matches ?? [], selected, step);
    if (next) select(next);
  };
  const onMoveRow = (step: 1 | -1) => {
    const at = activeKey === null ? -1 : (indexByKey.get(activeKey) ?? -1);
    const row = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
    if (row) select(row.item);
  };
  const onQuickSearch = (find: TraceSearchParams["find"]) =>
    // The way to an error is best read beside the suspects.
    setParams({ find, q: undefined, ...(find === "blame" && !isDrawer && { tab: "why" }) });
  const onToggleBlamePath = () => {
    if (isOffered) onQuickSearch(isBlame ? undefined : "blame");
  };
  const goToSuspect = (step: 1 | -1) => {
    const node = onSuspect?.(step);
    if (!node) return;
    setToggled(withAncestorsExpanded(node, toggled));
    setScrolledTo({ key: node.key });
  };
  useTraceShortcuts({
    tree,
    selected,
    problems: marks.size === 0 ? tree.errors : nodesWith(tree, marks, tree.errors),
    onNavigate: select,
    onStep,
    onMoveRow,
    onToggleCriticalPath: () => onQuickSearch(isCritical ? undefined : "critical"),
    onToggleBlamePath,
    onSuspect: onSuspect && goToSuspect,
    onSearch: () => field.current?.focus(),
    onFindToken: (token) => {
      if (!isShared) void navigate({ to: paths.traces, search: { search: token, in: "everything" } });
    },
  });

  const outsideHit = hits.outside.find(isInContents);
  const onOutside = () => {
    if (!outsideHit) return;
    setGroupKey(null);
    setParams({ ...NO_SELECTION, tab: undefined, ...hitParams(outsideHit) });
    setIsSheetOpen(true);
  };

  const view = params.view ?? "tree";
  const isMissing =
    !selected &&
    (params.span !== undefined || params.decision !== undefined || isMissingEvent(tree, params.event));
  const details = (
    <DetailsPanel
      tree={tree}
      selected={selected}
      eventId={params.event}
      tab={tab}
      findText={findText}
      field={params.field}
      why={why}
      onTab={(next) => setParams({ tab: next })}
      onNavigate={onNavigate}
    />
  );
  return (
    <>
      {!isShared &&
        !isReadOnly &&
        (selected?.kind === "decision" ? (
          <VerdictKeys
            traceId={tree.outline.id}
            decisionPointId={selected.decision.id}
            suspectRank={suspects.find(({ node }) => node === selected)?.rank}
            // The card of the decision shows it, and so do the suspects.
            onJudged={() => tab !== "why" && setParams({ tab: undefined })}
          />
        ) : (
          <ReviewKeys traceId={tree.outline.id} />
        ))}
      <Minimap
        tree={tree}
        scale={scale}
        zoom={zoom}
        decisionKey={selected?.kind === "decision" ? selected.key : null}
        suspects={suspects}
        onZoom={setZoom}
        onDecision={select}
      />
      <div className="relative flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <TreeToolbar
            text={params.q ?? ""}
            onText={(text) => setParams({ q: text || undefined, find: undefined })}
            onStep={onStep}
            payloadSearch={
              error
                ? { text: "Could not search inputs and outputs.", onRetry: retry }
                : isSearching
                  ? { text: "Searching inputs and outputs…" }
                  : isTruncated
                    ? { text: "Only the first hits are marked." }
                    : null
            }
            onOutside={outsideHit && onOutside}
            match={matches && { at: selected ? matches.indexOf(selected) + 1 : 0, count: matches.length }}
            errorCount={tree.errors.length}
            badCount={[...marks.values()].flat().length}
            hasError={isOffered}
            quickSearch={params.q ? undefined : params.find}
            onQuickSearch={onQuickSearch}
            isZoomed={zoom !== FULL_RANGE}
            onZoomOut={() => setZoom(FULL_RANGE)}
            folding={hasGaps ? { isOn: isFolding, onChange: setIsFolding } : null}
            view={view}
            onView={(next) => setParams({ view: next === "tree" ? undefined : next }, { isNewEntry: true })}
            field={field}
          />
          {isMissing && (
            <div className="p-3">
              <Notice tone="retry">
                The linked span, decision or event is not in this trace. The trace may have changed since.
              </Notice>
            </div>
          )}
          {rows.length === 0 ? (
            <p className="p-6 text-muted">
              {tree.outline.status === "RUNNING"
                ? "No spans or decisions yet. They will appear here automatically."
                : "This trace has no spans or decisions."}
            </p>
          ) : view === "transcript" ? (
            <FindContext value={transcriptFind}>
              <Transcript tree={tree} selectedKey={selected?.key ?? null} onNavigate={onNavigate} />
            </FindContext>
          ) : (
            <>
              {blame && <LeftOut suspects={blame.path.leftOut} />}
              <TreeGrid
                rows={rows}
                rowHeight={isNarrow ? 44 : 28}
                indexByKey={indexByKey}
                selectedKey={activeKey}
                highlighted={highlightedKeys}
                hitsByKey={hits.byKey}
                marksByKey={marks}
                criticalPath={criticalPath}
                blame={blame}
                markedKey={suspect?.key ?? null}
                scrolledTo={scrolledTo}
                scale={scale}
                zoom={zoom}
                onSelect={select}
                onToggle={onToggle}
                onOpen={() =>
                  panel.current?.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus()
                }
                handle={grid}
              />
            </>
          )}
          {blame && view === "tree" && (
            <p className="shrink-0 border-t border-line px-9 py-2 text-xs text-muted max-sm:hidden">
              Path to the error: decisions before the error and the spans around them. Other spans are folded
              (+n). <Kbd>b</Kbd> shows all.
            </p>
          )}
        </div>
        {isDrawer ? (
          isSheetShown && (
            <aside
              ref={panel}
              aria-label="Details"
              className="z-20 flex flex-col border-line bg-bg motion-safe:animate-[fade-in_150ms] max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:h-[62dvh] max-md:rounded-t-xl max-md:border-t max-md:shadow-[0_-8px_30px_rgb(0_0_0/0.18)] md:absolute md:inset-y-0 md:right-0 md:w-108 md:border-l md:shadow-[-8px_0_30px_rgb(0_0_0/0.18)]"
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
            <Splitter width={width} min={MIN_PANEL_WIDTH} max={MAX_PANEL_WIDTH} onWidth={onWidth} />
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

/** What is shown of a selection, or of the trace, until the user chooses a tab. */
function defaultTab(selected: TreeNode | null, { event }: TraceSearchParams, opensOnWhy: boolean): Tab {
  if (selected?.kind === "decision") return "decisions";
  if (event) return "events";
  return selected === null && opensOnWhy ? "why" : "overview";
}

const selectionOf = ({ span, decision, event }: TraceSearchParams) => JSON.stringify([span, decision, event]);

/** The rows that are marked, and others, in the order of the tree. */
function nodesWith(tree: TraceTree, marks: OutcomeMarks, others: readonly TreeNode[] = []): TreeNode[] {
  if (marks.size === 0) return [];
  const all = new Set(others);
  return tree.order.filter((node) => marks.has(node.key) || all.has(node));
}

function selectedNode(tree: TraceTree, { span, decision, event }: TraceSearchParams): TreeNode | null {
  if (decision !== undefined) return tree.byKey.get(decisionKey(decision)) ?? null;
  const spanId = span ?? tree.outline.events.find(({ id }) => id === event)?.spanId;
  return spanId ? (tree.byKey.get(spanKey(spanId)) ?? null) : null;
}

const isMissingEvent = ({ outline }: TraceTree, event: string | undefined) =>
  event !== undefined && !outline.events.some(({ id }) => id === event);

const NO_SELECTION: TraceSearchParams = {
  span: undefined,
  decision: undefined,
  event: undefined,
  field: undefined,
};

/** Selecting a decision resets the tab; selecting a span keeps it. */
const selectionParams = (node: TreeNode): TraceSearchParams =>
  node.kind === "decision"
    ? { ...NO_SELECTION, decision: node.decision.id, tab: undefined }
    : { ...NO_SELECTION, span: node.span.id };

/** Shows the field of a selected record in which the text was found. */
const hitParams = ({ record, field }: SearchHit): TraceSearchParams =>
  record.kind === "event"
    ? { event: record.id, tab: "events", field }
    : { tab: record.kind === "span" ? "io" : undefined, field };
