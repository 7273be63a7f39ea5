// biome-ignore-all lint/a11y/useSemanticElements: a table cannot place its rows by hand, which a virtual one must
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { useElementWidth } from "../../ui/use-element-width.ts";
import { OVERSCAN, useVisibleRows } from "../../ui/use-visible-rows.ts";
import type { CriticalSegment } from "../model/critical-path.ts";
import type { TreeRow } from "../model/flatten-rows.ts";
import type { TimeScale } from "../model/time-scale.ts";
import { timeTicks, type Zoom } from "../model/time-ticks.ts";
import type { SpanNode, TreeItem } from "../model/trace-tree.ts";
import { keyMove } from "./key-move.ts";
import { TimeAxis, TimeBackdrop } from "./time-axis.tsx";
import { TreeRowView } from "./tree-row.tsx";
import { useScrollAnchor } from "./use-scroll-anchor.ts";

const HEAD_HEIGHT = 28;
/** About the part of the width that the waterfall has. */
const AXIS_SHARE = 0.37;

export interface TreeGridHandle {
  focus(): void;
}

interface TreeGridProps {
  rows: TreeRow[];
  rowHeight: number;
  indexByKey: ReadonlyMap<string, number>;
  selectedKey: string | null;
  marked: ReadonlySet<string>;
  path: ReadonlyMap<SpanNode, CriticalSegment> | null;
  scale: TimeScale;
  zoom: Zoom;
  onSelect: (item: TreeItem) => void;
  onToggle: (item: TreeItem) => void;
  onOpen: () => void;
  handle: RefObject<TreeGridHandle | null>;
}

/** Spans and decisions as one tree grid: only the rows in sight are in the document. */
export function TreeGrid(props: TreeGridProps) {
  const { rows, rowHeight, indexByKey, selectedKey, scale, zoom, onSelect, onToggle, onOpen } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const range = useVisibleRows(scroller, { count: rows.length, rowHeight, headerHeight: HEAD_HEIGHT });
  const width = useElementWidth(scroller);
  const active = (selectedKey === null ? undefined : indexByKey.get(selectedKey)) ?? -1;
  useScrollAnchor(scroller, { rows, indexByKey, rowHeight, active });

  useImperativeHandle(props.handle, () => ({ focus: () => scroller.current?.focus() }), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection is brought into sight; a growing tree is the anchor's business
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || active < 0) return;
    const top = active * rowHeight;
    const room = element.clientHeight - HEAD_HEIGHT;
    if (top < element.scrollTop || top + rowHeight > element.scrollTop + room)
      element.scrollTop = Math.max(0, top - room / 3);
  }, [selectedKey, rowHeight]);

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

  const ticks = useMemo(() => timeTicks(scale, zoom, width * AXIS_SHARE), [scale, zoom, width]);
  // Rows that leave on one side come back on the other: filling a row anew costs less than making one.
  const slots = range.visible + 2 * OVERSCAN + 1;
  const shown = shownIndexes(range, active, rows.length);
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
      className="relative min-h-0 flex-1 overflow-y-auto overflow-x-hidden outline-none [overflow-anchor:none] focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-ring"
    >
      <div role="rowgroup" className="sticky top-0 z-2 bg-bg">
        <div
          role="row"
          aria-rowindex={1}
          className="tree-columns h-7 border-b border-line text-xs text-muted"
        >
          <div role="columnheader" className="truncate pl-4">
            Span
          </div>
          <div role="columnheader" className="truncate pr-3 text-right max-sm:hidden">
            cost · tokens
          </div>
          <TimeAxis ticks={ticks} />
        </div>
      </div>
      <div role="rowgroup" className="relative" style={{ height: rows.length * rowHeight }}>
        <TimeBackdrop ticks={ticks} scale={scale} zoom={zoom} />
        {shown.map((index) => {
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
              isMarked={props.marked.has(item.key)}
              stretch={item.kind === "span" ? props.path?.get(item) : undefined}
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

/** The rows in sight, and the active one wherever it is: assistive tools follow it by its id. */
function shownIndexes(
  { first, end }: { first: number; end: number },
  active: number,
  count: number,
): number[] {
  const indexes = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  if (active >= 0 && active < count && (active < first || active >= end)) indexes.push(active);
  return indexes;
}
