import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { formatDuration } from "../../ui/format.ts";
import type { TimeScale } from "../model/time-scale.ts";
import { FULL_RANGE, type Zoom } from "../model/time-ticks.ts";
import type { DecisionNode, TraceTree } from "../model/trace-tree.ts";
import { drawMinimap } from "./draw-minimap.ts";

export const LANE_HEIGHT = 20;

interface MinimapProps {
  tree: TraceTree;
  scale: TimeScale;
  zoom: Zoom;
  /** The decision that is selected, if one is. */
  decisionKey: string | null;
  onZoom: (zoom: Zoom) => void;
  onDecision: (decision: DecisionNode) => void;
}

const CLICK = 0.004;
const STEP = 0.02;
const REACH_PX = 9;

/** The whole run at a glance; dragging over it shows that part alone in the waterfall. */
export function Minimap({ tree, scale, zoom, decisionKey, onZoom, onDecision }: MinimapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drag, setDrag] = useState<{ start: number; now: number } | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let waiting = 0;
    const draw = () => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => {
        if (canvas.current) drawMinimap(canvas.current, tree, scale, decisionKey);
      });
    };
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    const themes = new MutationObserver(draw);
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    draw();
    return () => {
      cancelAnimationFrame(waiting);
      observer.disconnect();
      themes.disconnect();
    };
  }, [tree, scale, decisionKey]);

  const shareAt = (clientX: number) => {
    const box = frame.current?.getBoundingClientRect();
    return box ? Math.max(0, Math.min(1, (clientX - box.left) / box.width)) : 0;
  };
  const decisionAt = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect();
    if (!box || event.clientY - box.top > LANE_HEIGHT + 4) return undefined;
    const x = event.clientX - box.left;
    const near = (decision: DecisionNode) => Math.abs(scale.toShare(decision.startMs) * box.width - x);
    return tree.decisions
      .filter((decision) => near(decision) <= REACH_PX)
      .sort((a, b) => near(a) - near(b))[0];
  };
  const onUp = (event: PointerEvent) => {
    if (!drag) return;
    setDrag(null);
    const [from, to] = [Math.min(drag.start, drag.now), Math.max(drag.start, drag.now)];
    if (to - from >= CLICK) return onZoom({ from, to });
    const decision = decisionAt(event);
    if (decision) onDecision(decision);
  };
  const shown = drag ? { from: Math.min(drag.start, drag.now), to: Math.max(drag.start, drag.now) } : zoom;
  const isZoomed = drag !== null || zoom !== FULL_RANGE;
  return (
    <div className="relative h-[74px] shrink-0 border-y border-line bg-panel px-4">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the sliders in it do the same by keyboard */}
      <div
        ref={frame}
        className="relative h-full cursor-crosshair touch-pan-y select-none"
        onPointerDown={(event) => {
          if (event.button !== 0 || (event.target as HTMLElement).role === "slider") return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const start = shareAt(event.clientX);
          setDrag({ start, now: start });
        }}
        onPointerMove={(event) => drag && setDrag({ ...drag, now: shareAt(event.clientX) })}
        onPointerUp={onUp}
        onPointerCancel={() => setDrag(null)}
        onDoubleClick={() => onZoom(FULL_RANGE)}
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={`The run at a glance: ${tree.spans.length.toLocaleString("en")} spans, ${tree.decisions.length.toLocaleString("en")} decisions`}
          className="absolute inset-0 size-full"
        />
        {isZoomed && (
          <div
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 bg-[color-mix(in_oklab,var(--color-accent)_9%,transparent)]"
            style={{ left: `${shown.from * 100}%`, width: `${(shown.to - shown.from) * 100}%` }}
          />
        )}
        <Handle
          label="Start of the part shown"
          edge="from"
          zoom={shown}
          scale={scale}
          onZoom={onZoom}
          shareAt={shareAt}
        />
        <Handle
          label="End of the part shown"
          edge="to"
          zoom={shown}
          scale={scale}
          onZoom={onZoom}
          shareAt={shareAt}
        />
      </div>
    </div>
  );
}

interface HandleProps {
  label: string;
  edge: "from" | "to";
  zoom: Zoom;
  scale: TimeScale;
  onZoom: (zoom: Zoom) => void;
  shareAt: (clientX: number) => number;
}

function Handle({ label, edge, zoom, scale, onZoom, shareAt }: HandleProps) {
  const at = zoom[edge];
  const put = (share: number) => {
    const next =
      edge === "from"
        ? { from: Math.max(0, Math.min(share, zoom.to - 0.001)), to: zoom.to }
        : { from: zoom.from, to: Math.min(1, Math.max(share, zoom.from + 0.001)) };
    onZoom(next.from <= 0 && next.to >= 1 ? FULL_RANGE : next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: at - STEP,
      ArrowRight: at + STEP,
      Home: edge === "from" ? 0 : zoom.from,
      End: edge === "to" ? 1 : zoom.to,
    };
    const next = moves[event.key];
    if (event.key === "Escape") onZoom(FULL_RANGE);
    if (next === undefined) return;
    event.preventDefault();
    put(next);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(at * 100)}
      aria-valuetext={formatDuration(scale.toMs(at) - scale.startMs)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) =>
        event.currentTarget.hasPointerCapture(event.pointerId) && put(shareAt(event.clientX))
      }
      className="absolute inset-y-0 w-2.5 -translate-x-1/2 cursor-ew-resize touch-none before:absolute before:inset-y-0 before:left-1/2 before:w-px before:bg-accent/60 hover:before:w-0.5"
      style={{ left: `${at * 100}%` }}
    />
  );
}
