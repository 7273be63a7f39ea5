import type { DecisionMap, MapEdge, MapNode } from "@whytrace/contract";
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { formatExact } from "../../ui/format/format.ts";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { useShortcuts } from "../../ui/hooks/use-shortcuts.ts";
import { tintedStyle } from "../../ui/tinted-style.ts";
import { failureTint } from "./failure-tint.ts";
import type { FoldedMap } from "./fold-rare.ts";
import { layoutMap, NODE_HEIGHT, type PlacedNode, type Point } from "./layout-map.ts";
import { START } from "./listed-choices.ts";
import { MapLegend } from "./map-legend.tsx";
import type { MapSelection } from "./map-selection.ts";
import { nextStep } from "./next-step.ts";

interface DecisionMapViewProps {
  map: DecisionMap;
  folded: FoldedMap;
  selection: MapSelection | undefined;
  /** Whether a choice is found; the others are dimmed. Without a search, all are. */
  isFound: (node: MapNode) => boolean;
  onSelect: (step: string, from?: string) => void;
  onOpen: (node: MapNode) => void;
}

const CHARACTER_WIDTH = 7;
const [MIN_NODE_WIDTH, MAX_NODE_WIDTH] = [96, 190];
const [MIN_EDGE_WIDTH, MAX_EDGE_WIDTH] = [1, 14];
const [MIN_ZOOM, MAX_ZOOM, ZOOM_STEP] = [0.4, 2, 1.2];

/** All runs of an agent as a graph: the width of a path is its runs, its colour how many of them failed. */
export function DecisionMapView({ map, folded, selection, isFound, onSelect, onOpen }: DecisionMapViewProps) {
  const [zoom, setZoom] = useState(1);
  const frame = useRef<HTMLDivElement>(null);
  const layout = useMemo(() => layoutMap(folded, (step) => nodeWidth(folded, step)), [folded]);
  const startX = layout.nodes.get(START)?.x ?? 0;
  // A map that is wider than the screen begins with its start in view.
  useLayoutEffect(() => {
    if (frame.current) frame.current.scrollLeft = startX - frame.current.clientWidth / 2;
  }, [startX]);
  const zoomBy = (factor: number) => setZoom(Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom * factor)));
  useShortcuts({ "+": () => zoomBy(ZOOM_STEP), "-": () => zoomBy(1 / ZOOM_STEP), "0": () => setZoom(1) });
  const onKeyDown = (event: KeyboardEvent, node: MapNode) => {
    if (event.key === "Enter") {
      event.preventDefault();
      onOpen(node);
      return;
    }
    const next = nextStep(folded, layout.nodes, node.step, event.key);
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next);
    frame.current?.querySelector<HTMLElement>(`[data-step="${next}"]`)?.focus();
  };
  const focusable = selection?.node.step ?? START;
  return (
    <div className="relative min-w-0 flex-1">
      <div ref={frame} className="h-full max-h-[calc(100dvh-13rem)] min-h-96 overflow-auto p-2">
        <div
          className="relative mx-auto origin-top"
          style={{ width: layout.width * zoom, height: layout.height * zoom }}
        >
          <div className="absolute left-0 top-0 origin-top-left" style={{ transform: `scale(${zoom})` }}>
            <svg aria-hidden="true" width={layout.width} height={layout.height} className="block">
              {layout.edges.map(({ edge, points }) => (
                // biome-ignore lint/a11y/noStaticElementInteractions: the table selects the same paths with the keyboard
                <path
                  key={`${edge.from} ${edge.to}`}
                  d={toPath(points)}
                  fill="none"
                  stroke={failureTint(edge)}
                  strokeWidth={edgeWidth(edge, map.runs)}
                  opacity={isSelected(selection, edge) ? 1 : 0.75}
                  className="cursor-pointer hover:opacity-100"
                  onClick={() => onSelect(edge.to, edge.from)}
                />
              ))}
              {selection?.before && (
                <SelectedPath
                  points={layout.edges.find(({ edge }) => isSelected(selection, edge))?.points ?? []}
                />
              )}
            </svg>
            {folded.nodes.map((node) => {
              const place = layout.nodes.get(node.step);
              return (
                place && (
                  <Node
                    key={node.step}
                    node={node}
                    place={place}
                    isSelected={node.step === selection?.node.step}
                    isFocusable={node.step === focusable}
                    isDimmed={!isFound(node)}
                    onSelect={() => onSelect(node.step)}
                    onKeyDown={(event) => onKeyDown(event, node)}
                  />
                )
              );
            })}
          </div>
        </div>
      </div>
      <MapLegend />
    </div>
  );
}

const isSelected = (selection: MapSelection | undefined, { from, to }: MapEdge) =>
  selection?.before?.edge.from === from && selection.before.edge.to === to;

function nodeWidth({ nodes }: FoldedMap, step: string): number {
  const node = nodes.find((one) => one.step === step);
  const length = Math.max(node?.name.length ?? 0, node && hasEnds(node) ? 18 : 10);
  return Math.min(MAX_NODE_WIDTH, Math.max(MIN_NODE_WIDTH, length * CHARACTER_WIDTH + 24));
}

const edgeWidth = ({ times }: MapEdge, all: number) =>
  MIN_EDGE_WIDTH + (MAX_EDGE_WIDTH - MIN_EDGE_WIDTH) * Math.sqrt(Math.min(1, times / Math.max(1, all)));

/** A smooth line through all points, vertical at each of them. */
function toPath(points: readonly Point[]): string {
  const [first, ...others] = points;
  if (!first) return "";
  let path = `M${first.x} ${first.y}`;
  let before = first;
  for (const point of others) {
    const middle = (before.y + point.y) / 2;
    path += ` C${before.x} ${middle} ${point.x} ${middle} ${point.x} ${point.y}`;
    before = point;
  }
  return path;
}

const SelectedPath = ({ points }: { points: readonly Point[] }) => (
  <path d={toPath(points)} fill="none" stroke="var(--color-accent)" strokeWidth={3} strokeDasharray="6 4" />
);

const hasEnds = ({ ended: { fine, failed } }: MapNode) => fine + failed > 0;

interface NodeProps {
  node: MapNode;
  place: PlacedNode;
  isSelected: boolean;
  isFocusable: boolean;
  isDimmed: boolean;
  onSelect: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function Node({ node, place, isSelected, isFocusable, isDimmed, onSelect, onKeyDown }: NodeProps) {
  const { step, type, name, times, failedTimes, ended } = node;
  const box = { left: place.x - place.width / 2, top: place.y - NODE_HEIGHT / 2, width: place.width };
  const isStart = step === START;
  const share = times === 0 ? 0 : failedTimes / times;
  const tint = failureTint(node);
  return (
    <button
      type="button"
      data-step={step}
      tabIndex={isFocusable ? 0 : -1}
      aria-pressed={isSelected}
      title={name}
      onClick={onSelect}
      onKeyDown={onKeyDown}
      className={`absolute overflow-hidden border bg-bg px-2 text-xs leading-4 hover:bg-panel aria-pressed:ring-2 aria-pressed:ring-accent ${isDimmed ? "opacity-35" : ""} ${isStart ? "rounded-full border-text text-center" : "rounded-md border-l-4 text-left border-l-[var(--tint)]"}`}
      style={{
        ...(type ? tintedStyle(type) : {}),
        ...box,
        height: NODE_HEIGHT,
        borderTopColor: tint,
        borderRightColor: tint,
        borderBottomColor: tint,
      }}
    >
      <span className="block truncate font-semibold">{name || "(unknown)"}</span>
      <span className="flex justify-between gap-1 tabular-nums text-muted">
        <span className={isStart ? "mx-auto" : ""}>
          {formatExact(times)} · {formatPercent(share)}
          <span className="sr-only"> failed</span>
        </span>
        {hasEnds(node) && (
          <span className="whitespace-nowrap font-semibold">
            <span className="sr-only">ended here: </span>
            {ended.fine > 0 && <span className="text-completed">✓{formatExact(ended.fine)}</span>}{" "}
            {ended.failed > 0 && <span className="text-error">✕{formatExact(ended.failed)}</span>}
          </span>
        )}
      </span>
    </button>
  );
}
