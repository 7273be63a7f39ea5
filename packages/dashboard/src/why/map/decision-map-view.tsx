import type { DecisionMap, MapEdge, MapNode } from "@whytrace/contract";
import { type KeyboardEvent, useMemo, useRef } from "react";
import { formatExact } from "../../ui/format/format.ts";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { tintedStyle } from "../../ui/tinted-style.ts";
import { failureTint } from "./failure-tint.ts";
import type { FoldedMap } from "./fold-rare.ts";
import { failedShareOfMap, isMostlyUnknown, knownShare } from "./known-share.ts";
import { layoutMap, NODE_HEIGHT, type PlacedNode, type Point } from "./layout-map.ts";
import { START } from "./listed-choices.ts";
import { MapLegend } from "./map-legend.tsx";
import type { MapSelection } from "./map-selection.ts";
import { nextStep } from "./next-step.ts";
import { useMapZoom } from "./use-map-zoom.ts";
import { ZoomButtons } from "./zoom-buttons.tsx";

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
const [MIN_NODE_WIDTH, MAX_NAME_WIDTH] = [96, 190];
const NODE_PADDING = 24;
const [MIN_EDGE_WIDTH, MAX_EDGE_WIDTH] = [1, 14];

/** All runs of an agent as a graph: the width of a path is its runs, red where they are bad more often than all. */
export function DecisionMapView({ map, folded, selection, isFound, onSelect, onOpen }: DecisionMapViewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const layout = useMemo(() => layoutMap(folded, (step) => nodeWidth(folded, step)), [folded]);
  const { zoom, zoomBy, fit } = useMapZoom(frame, layout.width, layout.nodes.get(START)?.x ?? 0);
  const all = failedShareOfMap(map);
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
    <div className="flex min-w-0 flex-1 flex-col">
      <div
        ref={frame}
        className="max-h-[calc(100dvh-15.75rem)] xl:max-h-[calc(100dvh-12.75rem)] min-h-96 flex-1 overflow-auto p-2"
      >
        <div
          className="relative mx-auto origin-top"
          style={{ width: layout.width * zoom, height: layout.height * zoom }}
        >
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form */}
          <div
            role="group"
            aria-label="Choices: arrow keys follow the paths"
            className="absolute left-0 top-0 origin-top-left"
            style={{ transform: `scale(${zoom})` }}
          >
            <svg aria-hidden="true" width={layout.width} height={layout.height} className="block">
              <UnknownPattern />
              {layout.edges.map(({ edge, points }) => (
                // biome-ignore lint/a11y/noStaticElementInteractions: the table selects the same paths with the keyboard
                <path
                  key={`${edge.from} ${edge.to}`}
                  d={toPath(points)}
                  fill="none"
                  stroke={isMostlyUnknown(edge) ? "url(#unknown-outcome)" : failureTint(edge, all)}
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
                    all={all}
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
      <div className="flex flex-wrap items-center justify-between gap-x-3 border-t border-line px-4 py-1">
        <MapLegend all={all} />
        <ZoomButtons onZoom={zoomBy} onFit={fit} />
      </div>
    </div>
  );
}

const isSelected = (selection: MapSelection | undefined, { from, to }: MapEdge) =>
  selection?.before?.edge.from === from && selection.before.edge.to === to;

/** A long name is cut off, numbers never. */
function nodeWidth({ nodes }: FoldedMap, step: string): number {
  const node = nodes.find((one) => one.step === step);
  if (!node) return MIN_NODE_WIDTH;
  const numbers = [timesText(node), ...endTexts(node)].join(" ");
  const wide = (text: string) => text.length * CHARACTER_WIDTH + NODE_PADDING;
  return Math.max(MIN_NODE_WIDTH, wide(numbers), Math.min(MAX_NAME_WIDTH, wide(node.name)));
}

const timesText = (node: MapNode) => `${formatExact(node.times)} · ${formatPercent(knownShare(node))}`;

/** How many runs ended there: those that went well, and bad ones. */
const endTexts = ({ ended: { fine, failed } }: MapNode) => [
  fine > 0 ? `✓${formatExact(fine)}` : "",
  failed > 0 ? `✕${formatExact(failed)}` : "",
];

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

/** Of a path whose outcome is mostly unknown: its colour would be that of a few runs. */
const UnknownPattern = () => (
  <defs>
    <pattern
      id="unknown-outcome"
      width={6}
      height={6}
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <rect width={3} height={6} fill="var(--color-control)" />
    </pattern>
  </defs>
);

const HATCHED =
  "repeating-linear-gradient(45deg, transparent 0 4px, color-mix(in oklab, var(--color-control) 25%, transparent) 4px 7px)";

interface NodeProps {
  node: MapNode;
  place: PlacedNode;
  /** The share of bad runs of the whole map. */
  all: number;
  isSelected: boolean;
  isFocusable: boolean;
  isDimmed: boolean;
  onSelect: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function Node({ node, place, all, isSelected, isFocusable, isDimmed, onSelect, onKeyDown }: NodeProps) {
  const { step, type, name } = node;
  const box = { left: place.x - place.width / 2, top: place.y - NODE_HEIGHT / 2, width: place.width };
  const isStart = step === START;
  const isUnknown = isMostlyUnknown(node);
  const tint = failureTint(node, all);
  const [fine, failed] = endTexts(node);
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
        ...(isUnknown && { backgroundImage: HATCHED }),
      }}
    >
      <span className="block truncate font-semibold">{name || "(unknown)"}</span>
      <span className="flex justify-between gap-1 whitespace-nowrap tabular-nums text-muted">
        <span className={isStart ? "mx-auto" : ""}>
          {timesText(node)}
          <span className="sr-only"> bad{isUnknown && ", mostly unknown"}</span>
        </span>
        {(fine || failed) && (
          <span className="font-semibold">
            <span className="sr-only">ended here: </span>
            <span className="text-completed">{fine}</span> <span className="text-error">{failed}</span>
          </span>
        )}
      </span>
    </button>
  );
}
