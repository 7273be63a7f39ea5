import type { DecisionMap, MapEdge, MapNode } from "@whytrace/contract";
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { formatExact } from "../../ui/format/format.ts";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { useElementWidth } from "../../ui/hooks/use-element-width.ts";
import { useShortcuts } from "../../ui/hooks/use-shortcuts.ts";
import { tintedStyle } from "../../ui/tinted-style.ts";
import { failureTint } from "./failure-tint.ts";
import type { FoldedMap, FoldedNode } from "./fold-rare.ts";
import { isMostlyUnknown, knownShare } from "./known-share.ts";
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
/** A map that is wider than the screen is drawn smaller, as long as its words can be read. */
const MIN_FIT_ZOOM = 0.7;
const FRAME_PADDING_PX = 16;

/** All runs of an agent as a graph: the width of a path is its runs, its colour how many of them are bad. */
export function DecisionMapView({ map, folded, selection, isFound, onSelect, onOpen }: DecisionMapViewProps) {
  /** Undefined until the user zooms: then the map fits the screen. */
  const [chosenZoom, setZoom] = useState<number>();
  const frame = useRef<HTMLDivElement>(null);
  const frameWidth = useElementWidth(frame);
  const layout = useMemo(() => layoutMap(folded, (step) => nodeWidth(folded, step)), [folded]);
  const fitZoom = Math.max(MIN_FIT_ZOOM, Math.min(1, (frameWidth - FRAME_PADDING_PX) / layout.width));
  const zoom = chosenZoom ?? fitZoom;
  const worstX = layout.nodes.get(worstStep(folded))?.x ?? 0;
  // A map that does not fit begins where most runs fail.
  useLayoutEffect(() => {
    if (frame.current) frame.current.scrollLeft = worstX * fitZoom - frame.current.clientWidth / 2;
  }, [worstX, fitZoom]);
  const zoomBy = (factor: number) => setZoom(Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom * factor)));
  useShortcuts({
    "+": () => zoomBy(ZOOM_STEP),
    "-": () => zoomBy(1 / ZOOM_STEP),
    "0": () => setZoom(undefined),
  });
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
        className="max-h-[calc(100dvh-15rem)] xl:max-h-[calc(100dvh-12rem)] min-h-96 flex-1 overflow-auto p-2"
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
                  stroke={isMostlyUnknown(edge) ? "url(#unknown-outcome)" : failureTint(edge)}
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

/** The choice at which most bad runs ended; the start if none did. */
const worstStep = ({ nodes }: FoldedMap) =>
  nodes.reduce<FoldedNode | undefined>(
    (worst, node) => (node.ended.failed > (worst?.ended.failed ?? 0) ? node : worst),
    undefined,
  )?.step ?? START;

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

const hasEnds = ({ ended: { fine, failed } }: MapNode) => fine + failed > 0;

const HATCHED =
  "repeating-linear-gradient(45deg, transparent 0 4px, color-mix(in oklab, var(--color-control) 25%, transparent) 4px 7px)";

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
  const { step, type, name, times, ended } = node;
  const box = { left: place.x - place.width / 2, top: place.y - NODE_HEIGHT / 2, width: place.width };
  const isStart = step === START;
  const isUnknown = isMostlyUnknown(node);
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
        ...(isUnknown && { backgroundImage: HATCHED }),
      }}
    >
      <span className="block truncate font-semibold">{name || "(unknown)"}</span>
      <span className="flex justify-between gap-1 tabular-nums text-muted">
        <span className={isStart ? "mx-auto" : ""}>
          {formatExact(times)} · {formatPercent(knownShare(node))}
          <span className="sr-only"> bad{isUnknown && ", mostly unknown"}</span>
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
