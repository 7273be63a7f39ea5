// biome-ignore-all lint/a11y/useSemanticElements: a virtual list must position its rows, which a table cannot
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid keeps the focus and refers to the active row
import type { SearchHit } from "@whytrace/contract";
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { useElementWidth } from "../../ui/hooks/use-element-width.ts";
import { OVERSCAN, useVisibleRows } from "../../ui/hooks/use-visible-rows.ts";
import type { BlamePath, RailMark } from "../model/blame-path.ts";
import type { CriticalSegment } from "../model/critical-path.ts";
import type { TreeRow } from "../model/flatten-rows.ts";
import type { OutcomeMarks } from "../model/outcome-marks.ts";
import type { TimeScale } from "../model/time-scale.ts";
import { timeTicks, type Zoom } from "../model/time-ticks.ts";
import type { SpanNode, TreeItem } from "../model/trace-tree.ts";
import { keyMove } from "./key-move.ts";
import { TimeAxis, TimeBackdrop } from "./time-axis.tsx";
import { TreeRowView } from "./tree-row.tsx";
import { useScrollAnchor } from "./use-scroll-anchor.ts";

const HEADER_HEIGHT = 28;
const MARGIN_PX = 16;
/** The waterfall's width, by the columns of trace.css. */
const axisWidth = (width: number) => width * (width < 760 ? 0.24 : width < 960 ? 0.3 : 0.4) - MARGIN_PX;

export interface TreeGridHandle {
  focus(): void;
}

/** A row to show. A new object shows it again. */
export interface ScrolledTo {
  key: string;
}

interface TreeGridProps {
  rows: TreeRow[];
  rowHeight: number;
  indexByKey: ReadonlyMap<string, number>;
  selectedKey: string | null;
  highlighted: ReadonlySet<string>;
  /** What was found in the payloads of a row, by its key. */
  hitsByKey: ReadonlyMap<string, SearchHit[]>;
  /** What was bad at a row, by its key. */
  marksByKey: OutcomeMarks;
  criticalPath: ReadonlyMap<SpanNode, CriticalSegment> | null;
  /** If only the way to an error is shown. */
  blame: { path: BlamePath; rail: ReadonlyMap<string, RailMark> } | null;
  /** The row of the suspect that the keys go to. */
  markedKey: string | null;
  scrolledTo: ScrolledTo | null;
  scale: TimeScale;
  zoom: Zoom;
  onSelect: (item: TreeItem) => void;
  onToggle: (item: TreeItem) => void;
  onOpen: () => void;
  handle: RefObject<TreeGridHandle | null>;
}

/** Spans and decisions as a virtualized tree grid: only visible rows are in the document. */
export function TreeGrid(props: TreeGridProps) {
  const { rows, rowHeight, indexByKey, selectedKey, scale, zoom, onSelect, onToggle, onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const range = useVisibleRows(scroller, { count: rows.length, rowHeight, headerHeight: HEADER_HEIGHT });
  const width = useElementWidth(scroller);
  const active = (selectedKey === null ? undefined : indexByKey.get(selectedKey)) ?? -1;
  useScrollAnchor(scroller, { rows, indexByKey, rowHeight, active });

  useImperativeHandle(props.handle, () => ({ focus: () => scroller.current?.focus() }), []);
  const scrollTo = (index: number) => {
    const element = scroller.current;
    if (!element || index < 0) return;
    const top = index * rowHeight;
    const bodyHeight = element.clientHeight - HEADER_HEIGHT;
    if (top < element.scrollTop || top + rowHeight > element.scrollTop + bodyHeight)
      element.scrollTop = Math.max(0, top - bodyHeight / 3);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection scrolls into view; useScrollAnchor handles a growing tree
  useLayoutEffect(() => scrollTo(active), [selectedKey, rowHeight]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a request scrolls into view
  useLayoutEffect(() => {
    if (props.scrolledTo) scrollTo(indexByKey.get(props.scrolledTo.key) ?? -1);
  }, [props.scrolledTo]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter") {
      event.preventDefault();
      onOpen();
      return;
    }
    const move = keyMove(rows, active, { key: event.key, page: Math.max(1, range.visible - 1) });
    if (!move) return;
    event.preventDefault();
    for (const row of move.toggle) onToggle(row.item);
    const next = rows[move.to];
    if (next && move.to !== active) onSelect(next.item);
  };
  const onPick = useCallback(
    (item: TreeItem) => {
      onSelect(item);
      scroller.current?.focus({ preventScroll: true });
    },
    [onSelect],
  );

  const ticks = useMemo(() => timeTicks(scale, zoom, axisWidth(width)), [scale, zoom, width]);
  // Rows that scroll out of view are reused: updating a row costs less than creating one.
  const slots = range.visible + 2 * OVERSCAN + 1;
  const rendered = renderedIndexes(range, active, rows.length);
  return (
    <div
      ref={scroller}
      role="treegrid"
      aria-label="Spans and decisions"
      aria-rowcount={rows.length + 1}
      aria-colcount={3}
      aria-activedescendant={active >= 0 ? rowId(active) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      data-treegrid
      className="tree-container relative min-h-0 flex-1 overflow-y-auto overflow-x-hidden [overflow-anchor:none] focus-visible:-outline-offset-2"
    >
      <div role="rowgroup" className="sticky top-0 z-2 bg-bg">
        <div
          role="row"
          aria-rowindex={1}
          className="tree-columns h-7 border-b border-line text-xs text-muted"
        >
          <div role="columnheader" className={`truncate ${props.blame ? "pl-9" : "pl-4"}`}>
            Span
          </div>
          <div role="columnheader" className="tree-metrics truncate pr-3 text-right">
            {props.blame ? "bad / others" : "Cost · tokens"}
          </div>
          <TimeAxis ticks={ticks} />
        </div>
      </div>
      <div role="rowgroup" className="relative" style={{ height: rows.length * rowHeight }}>
        <TimeBackdrop ticks={ticks} scale={scale} zoom={zoom} />
        {rendered.map((index) => {
          const row = rows[index];
          if (!row) return null;
          const { item } = row;
          return (
            <TreeRowView
              key={index >= range.first && index < range.end ? index % slots : "active"}
              id={rowId(index)}
              row={row}
              index={index}
              rowHeight={rowHeight}
              isSelected={index === active}
              isHighlighted={props.highlighted.has(item.key)}
              isMarked={item.key === props.markedKey}
              hits={props.hitsByKey.get(item.key)}
              badWords={props.marksByKey.get(item.key)}
              criticalSegment={item.kind === "span" ? props.criticalPath?.get(item) : undefined}
              blame={props.blame?.path}
              rail={props.blame?.rail.get(item.key)}
              scale={scale}
              zoom={zoom}
              onPick={onPick}
              onToggle={onToggle}
            />
          );
        })}
      </div>
    </div>
  );
}

const rowId = (index: number) => `tree-row-${index}`;

/** The visible rows and the active row, which assistive technology must find by its ID. */
function renderedIndexes(
  { first, end }: { first: number; end: number },
  active: number,
  count: number,
): number[] {
  const indexes = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  if (active >= 0 && active < count && (active < first || active >= end)) indexes.push(active);
  return indexes;
}
